// The Python face of a live game's tree that is answered in batches: bind_live<Game>(module, "GoTree").
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/answers.hpp"
#include "core/bind/floats.hpp"
#include "core/mcts/live.hpp"

namespace tengen::bind {

template <class Game>
class BoundTree {
public:
    using Root = typename Game::Root;

    mcts::LiveTree<Game> live;

    void begin(const mcts::Question<Root>& question) {
        width_ = question.root.width();
        height_ = question.root.height();
        live.begin(question);
    }

    int collect(const FloatsOut<4>& planes, const FloatsOut<2>& numbers, const std::optional<BoolsOut>& is_root,
                const std::optional<BytesOut>& sides) {
        const FeatureSet& set = live.features();
        if (planes.shape(1) != set.planes.size() || static_cast<int>(planes.shape(2)) != height_ ||
            static_cast<int>(planes.shape(3)) != width_ || numbers.shape(0) != planes.shape(0) ||
            numbers.shape(1) != set.globals.size() || (is_root && is_root->shape(0) != planes.shape(0)) ||
            (sides && sides->shape(0) != planes.shape(0)))
            throw nanobind::value_error("the arrays do not fit the tree's features");
        const std::size_t room = planes.shape(0);
        float *const planes_at = planes.data(), *const numbers_at = numbers.data();
        bool* const roots_at = is_root ? is_root->data() : nullptr;
        std::uint8_t* const sides_at = sides ? sides->data() : nullptr;
        const nanobind::gil_scoped_release release;
        return static_cast<int>(live.tree()->collect(room, planes_at, numbers_at, roots_at, sides_at));
    }

    void deliver(const FloatsIn<2>& policies, const FloatsIn<2>& values, const std::optional<FloatsIn<1>>& scores,
                 const std::optional<FloatsIn<2>>& owners, const std::optional<FloatsIn<2>>& errors,
                 const std::optional<FloatsIn<2>>& spreads) {
        const auto tree = live.tree();
        const auto answers = Answers{policies, values, scores, owners, errors, spreads}.read(live.features(), width_,
                                                                                             height_, tree->oldest());
        const nanobind::gil_scoped_release release;
        tree->deliver(answers);
    }

private:
    int width_ = 0, height_ = 0;
};

template <class Game>
auto bind_live(nanobind::module_& module, const char* name) {
    namespace nb = nanobind;
    using Bound = BoundTree<Game>;
    using Root = typename Game::Root;
    using Keys = std::vector<std::uint64_t>;
    using Moves = std::vector<int>;
    return nb::class_<Bound>(module, name,
                             "The tree of a live game, for an evaluator that answers batches (engine/search/puct.py).\n"
                             "One thread drives it; `info` may come from any.")
        .def(nb::init<>())
        .def_prop_ro("features", [](const Bound& self) { return self.live.features(); })
        .def(
            "see_by", [](Bound& self, const std::string& features) { self.live.see_by(features); }, nb::arg("features"),
            "The feature set of its networks from now on, by name; the tree is forgotten when that is another. ValueError for\n"
            "one that the game has not.")
        .def(
            "options",
            [](const Bound& self) {
                std::vector<std::tuple<std::string, double, double, double, std::string, std::string>> out;
                for (const auto& o : self.live.options())
                    out.emplace_back(o.name, std::get<double>(o.value), o.low, o.high, o.doc, o.kind);
                return out;
            },
            "(name, value, low, high, what it does, number or whole or check) of every setting.")
        .def(
            "set", [](Bound& self, const std::string& option, double value) { self.live.set(option, value); },
            nb::arg("name"), nb::arg("value"), "Raises ValueError for an unknown name or a value out of range.")
        .def(
            "clear", [](Bound& self) { self.live.clear(); }, nb::call_guard<nb::gil_scoped_release>(),
            "Forget the tree.")
        .def(
            "hold_back",
            [](Bound& self, int player, std::vector<int> plies) {
                if (player != 0 && player != 1) throw nb::value_error("a player is 0 or 1");
                self.live.hold_back(player, std::move(plies));
            },
            nb::arg("player"), nb::arg("plies"),
            "By dense move, the ply of a search before which a player may not play it; [] holds nothing back. From the\n"
            "next run on, which keeps the tree for the same root alone.")
        .def(
            "begin",
            [](Bound& self, const Root& state, const std::vector<Root>& earlier, Keys seen, Moves recent, Moves allow,
               Moves avoid, float komi_shift, double seconds, std::uint64_t playouts, std::uint64_t visits, int depth,
               bool early_stop, const search::StopToken* stop) {
                const mcts::Question<Root> question{
                    state,
                    earlier,
                    {std::move(seen), std::move(recent), std::move(allow), std::move(avoid), komi_shift},
                    {seconds, playouts, visits, depth, early_stop},
                    stop ? *stop : search::StopToken()};
                const nb::gil_scoped_release release;
                self.begin(question);
            },
            nb::arg("state"), nb::arg("earlier") = std::vector<Root>(), nb::arg("seen") = Keys(),
            nb::arg("recent") = Moves(), nb::arg("allow") = Moves(), nb::arg("avoid") = Moves(),
            nb::arg("komi_shift") = 0.0f, nb::arg("seconds") = 0.0, nb::arg("playouts") = 0, nb::arg("visits") = 0,
            nb::arg("depth") = 0, nb::arg("early_stop") = false, nb::arg("stop").none() = nb::none(),
            "Start a run from a position; what the tree knows of it is kept. earlier: the positions before the last\n"
            "moves, newest last. A bound of 0 is none.")
        .def(
            "collect", &Bound::collect, nb::arg("planes").noconvert(), nb::arg("numbers").noconvert(),
            nb::arg("is_root").noconvert() = nb::none(), nb::arg("sides").noconvert() = nb::none(),
            "Write what a network sees of at most as many leaves as there are rows, and return how many. 0: none before\n"
            "an answer comes, or some simulations were made that needed none, or `is_over`. is_root: a bool a row, whether\n"
            "the leaf is the root; sides: a uint8 a row, who is to move there.")
        .def(
            "deliver", &Bound::deliver, nb::arg("policies"), nb::arg("values"), nb::arg("scores") = nb::none(),
            nb::arg("owners") = nb::none(), nb::arg("errors") = nb::none(), nb::arg("spreads") = nb::none(),
            "The answers to the oldest batch: n x moves logits by policy index, n x 3 win, draw, loss, n points ahead,\n"
            "n x cells owners, n x 2 errors of value (win less loss) and points, n x 2 the final score and its square; all for the side to move. ValueError for what is no answer to it; it still waits then.")
        .def(
            "cancel", [](Bound& self) { self.live.tree()->cancel(); }, "Take back whatever is in flight.")
        .def_prop_ro(
            "is_over", [](Bound& self) { return self.live.tree()->is_over(); },
            "Whether a bound, a proof or the stop ended the run; what is in flight may still be answered.")
        .def_prop_ro(
            "visits", [](Bound& self) { return self.live.tree()->visits(); }, "Of the root, counted so far.")
        .def(
            "target", [](Bound& self) { return self.live.tree()->target(); },
            "What a network should learn of the root's policy, (move, share) of each: visits without those that were forced\n"
            "or, by Gumbel, the improved policy. Nothing may be in flight.")
        .def_prop_ro(
            "cached", [](Bound& self) { return self.live.tree()->cached(); },
            "How many answers came from the cache, in all runs of this tree.")
        .def(
            "end", [](Bound& self) { self.live.tree()->end(); }, "End the run: what is in flight is taken back.")
        .def(
            "info",
            [](const Bound& self, int max_lines, bool ownership) { return self.live.report(max_lines, ownership); },
            nb::arg("max_lines") = 0, nb::arg("ownership") = false, nb::call_guard<nb::gil_scoped_release>(),
            "A report, best line first; max_lines 0 is all.");
}

}  // namespace tengen::bind
