// The Python face of a forest, the same for every game: bind_forest<State, Features>(module, "MorrisForest").
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/floats.hpp"
#include "core/mcts/forest.hpp"
#include "core/search/report.hpp"

namespace tengen::bind {

// A forest whose batches are answered in the order in which they were collected. Calls from several threads wait for
// each other.
template <class S, class F>
class BoundForest {
public:
    using Forest = mcts::Forest<S, F>;

    BoundForest(const std::vector<S>& roots, const mcts::Settings& settings, const typename Forest::View& view,
                std::uint64_t visits)
        : width_(checked(roots).front().width()),
          height_(roots.front().height()),
          forest_(roots, {}, settings, static_cast<std::size_t>(settings.memory_mb * 1048576.0), view,
                  {.visits = visits}) {}

    std::tuple<std::size_t, int, int> plane_shape() const { return {F::set().planes.size(), height_, width_}; }
    const Forest& forest() const { return forest_; }

    int collect(const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers) {
        const std::size_t room = planes.shape(0), globals = F::set().globals.size();
        if (std::tuple(planes.shape(1), static_cast<int>(planes.shape(2)), static_cast<int>(planes.shape(3))) !=
            plane_shape())
            throw nanobind::value_error("the planes do not fit the forest's plane_shape");
        if (!globals_fit(numbers, room, globals))
            throw nanobind::value_error("the numbers do not fit the forest's features");
        float* const planes_at = planes.data();
        float* const numbers_at = numbers ? numbers->data() : nullptr;
        const nanobind::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        typename Forest::Batch batch = forest_.collect(room, {planes_at, numbers_at});
        const int count = static_cast<int>(batch.size());
        if (count) waiting_.push_back(std::move(batch));
        return count;
    }

    void deliver(const FloatsIn<2>& policies, const FloatsIn<2>& values) {
        const std::size_t rows = policies.shape(0), moves = policies.shape(1);
        if (moves != static_cast<std::size_t>(F::set().policy_size(width_, height_)) || values.shape(1) != 3)
            throw nanobind::value_error("a policy has a number a move, a value has three");
        const float* const policy = policies.data();
        const float* const value = values.data();
        const nanobind::gil_scoped_release release;
        const auto are_all = [](const float* at, std::size_t count, const auto& fits) {
            return std::all_of(at, at + count, fits);
        };
        if (!are_all(policy, rows * moves, [](float one) { return std::isfinite(one); }) ||
            !are_all(value, 3 * values.shape(0), [](float one) { return one >= 0 && one <= 1.0001f; }))
            throw std::invalid_argument("logits are finite, win, draw and loss from 0 to 1");
        const std::lock_guard lock(mutex_);
        if (waiting_.empty() || waiting_.front().size() != rows || values.shape(0) != rows)
            throw std::invalid_argument("the oldest batch has " +
                                        std::to_string(waiting_.empty() ? 0 : waiting_.front().size()) +
                                        " leaves: so many answers are due");
        std::vector<mcts::Answer> answers;
        for (std::size_t i = 0; i < rows; ++i)
            answers.push_back({{value[3 * i], value[3 * i + 1]}, {policy + i * moves, moves}});
        forest_.deliver(waiting_.front(), answers);
        waiting_.pop_front();
    }

    search::Report report(std::size_t tree) const {
        const std::lock_guard lock(mutex_);
        if (tree >= forest_.size()) throw nanobind::index_error("no such tree");
        return forest_.report(tree, 0, false);
    }

    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counts(std::size_t tree) const {
        const std::lock_guard lock(mutex_);
        if (tree >= forest_.size()) throw nanobind::index_error("no such tree");
        const auto counts = forest_.counts(tree);
        return {counts.answered, counts.known, counts.collisions};
    }

    std::vector<std::pair<int, double>> target(std::size_t tree) const {
        const std::lock_guard lock(mutex_);
        if (tree >= forest_.size()) throw nanobind::index_error("no such tree");
        return forest_.target(tree);
    }

    std::uint64_t cached(std::size_t tree) const {
        const std::lock_guard lock(mutex_);
        if (tree >= forest_.size()) throw nanobind::index_error("no such tree");
        return forest_.counts(tree).cached;
    }

private:
    static const std::vector<S>& checked(const std::vector<S>& roots) {
        const auto differs = [&](const S& root) {
            return root.width() != roots.front().width() || root.height() != roots.front().height();
        };
        if (roots.empty() || std::any_of(roots.begin(), roots.end(), differs))
            throw nanobind::value_error("a forest has one tree or more, all of one board size");
        return roots;
    }

    int width_, height_;
    Forest forest_;
    std::deque<typename Forest::Batch> waiting_;  // oldest first
    mutable std::mutex mutex_;
};

template <class S, FeatureEncoder<S> F>
void bind_forest(nanobind::module_& module, const char* name) {
    namespace nb = nanobind;
    using Bound = BoundForest<S, F>;
    nb::class_<Bound>(module, name,
                      "Many trees side by side, for an evaluator that answers batches (engine/search/forest.py).")
        .def(
            "__init__",
            [](Bound* self, const std::vector<S>& roots, double c, double fpu_reduction, double memory_mb, bool turns,
               double cache_mb, std::uint64_t visits, std::uint64_t seed,
               const std::map<std::string, double>& options) {
                if (!(cache_mb >= 0 && cache_mb <= 1048576))
                    throw nb::value_error("cache_mb must lie between 0 and 1048576");
                mcts::Settings settings;
                settings.rule = mcts::PuctSettings();
                settings.set("c", c);
                settings.set("fpu_reduction", fpu_reduction);
                settings.set("memory_mb", memory_mb);
                for (const auto& [name, value] : options)
                    if (!settings.set(name, value)) throw nb::value_error(("unknown option " + name).c_str());
                new (self)
                    Bound(roots, settings, {turns, seed, {}, static_cast<std::size_t>(cache_mb * 1048576.0)}, visits);
            },
            nb::arg("roots"), nb::kw_only(), nb::arg("c") = 1.5, nb::arg("fpu_reduction") = 0.2,
            nb::arg("memory_mb") = 16.0, nb::arg("turns") = false, nb::arg("cache_mb") = 0.0, nb::arg("visits") = 0,
            nb::arg("seed") = 0, nb::arg("options") = std::map<std::string, double>(),
            "One tree a root, each of memory_mb. turns: leaves are seen through all symmetries of the board. cache_mb: of\n"
            "answers that all trees share, for positions that come again; 0: none. visits: of a root at most; 0: no bound.\n"
            "seed: of noise. options: those of the search by name (`puct.` of `tengen options`).")
        .def("__len__", [](const Bound& self) { return self.forest().size(); })
        .def_prop_ro("features", [](const Bound&) { return F::set(); })
        .def_prop_ro("plane_shape", &Bound::plane_shape, "(planes, height, width) of a leaf.")
        .def("collect", &Bound::collect, nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(),
             "Walk down to at most as many leaves as there are rows, write what a network sees of each into the first\n"
             "rows, and return how many. 0: nothing more to ask before an answer comes, or at all. Arrays are of\n"
             "float32 in one piece: TypeError for others, which could not be written into.")
        .def(
            "deliver", &Bound::deliver, nb::arg("policies"), nb::arg("values"),
            "The answers to the oldest batch: n x moves logits by policy index, n x 3 win, draw, loss. ValueError, and\n"
            "the batch still waits, for what is no answer to it.")
        .def("cached", &Bound::cached, nb::arg("tree"), "How many leaves of a tree the cache answered.")
        .def("target", &Bound::target, nb::arg("tree"),
             "What a network should learn of a root's policy: (move, share) of each.")
        .def("report", &Bound::report, nb::arg("tree"), "A report of a tree, the most visited move first.")
        .def("counts", &Bound::counts, nb::arg("tree"), "(answered, known without asking, collisions) of a tree.");
}

}  // namespace tengen::bind
