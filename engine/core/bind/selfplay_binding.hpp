// The Python face of self-play, the same for every game: bind_selfplay<selfplay::Plain<State, Features>>(module, "MorrisSelfPlay").
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/answers.hpp"
#include "core/selfplay/any.hpp"

namespace tengen::bind {

// Numbers handed over to numpy, which owns them from then on.
template <class T, class... Extent>
auto given(std::vector<T> numbers, Extent... extents) {
    namespace nb = nanobind;
    auto held = std::make_unique<std::vector<T>>(std::move(numbers));
    T* const data = held->data();
    nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<sizeof...(Extent)>>(data, {static_cast<std::size_t>(extents)...}, owner);
}

// A finished game as facts by name; engine/search/selfplay.py says what each is.
inline nanobind::dict facts_of(selfplay::Record&& game, int width, int height) {
    const std::size_t n = game.plies.size();
    std::vector<std::int16_t> moves, target_moves;
    std::vector<float> weights, values, surprises, target_shares;
    std::vector<std::int32_t> offsets{0};
    auto is_full = std::make_unique<bool[]>(n);
    for (const selfplay::Ply& ply : game.plies) {
        is_full[moves.size()] = ply.is_full;
        moves.push_back(static_cast<std::int16_t>(ply.move));
        weights.push_back(ply.weight);
        surprises.push_back(ply.surprise);
        values.insert(values.end(), {ply.win, ply.draw, ply.score});
        for (const auto& [move, share] : ply.target) {
            if (share <= 0) continue;
            target_moves.push_back(static_cast<std::int16_t>(move));
            target_shares.push_back(share);
        }
        offsets.push_back(static_cast<std::int32_t>(target_moves.size()));
    }
    nanobind::dict out;
    const std::size_t targets = target_moves.size();
    out["number"] = game.number;
    out["seed"] = game.seed;
    out["moves"] = given(std::move(moves), n);
    out["first"] = game.first;
    out["weights"] = given(std::move(weights), n);
    out["values"] = given(std::move(values), n, 3);
    out["surprises"] = given(std::move(surprises), n);
    bool* const full = is_full.release();
    nanobind::capsule owner(full, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    out["is_full"] = nanobind::ndarray<nanobind::numpy, bool, nanobind::ndim<1>>(full, {n}, owner);
    out["target_offsets"] = given(std::move(offsets), n + 1);
    out["target_moves"] = given(std::move(target_moves), targets);
    out["target_shares"] = given(std::move(target_shares), targets);
    out["margin"] = game.margin;
    out["outcome"] = game.outcome;
    if (game.owners.empty())
        out["owners"] = nanobind::none();
    else
        out["owners"] = given(std::move(game.owners), height, width);
    out["end"] = selfplay::kEndNames[static_cast<int>(game.end)];
    out["resigner"] = game.resignation.player;
    out["resign_ply"] = game.resignation.ply;
    out["plays_on"] = game.resignation.plays_on;
    out["visits"] = game.visits;
    return out;
}

// Calls from several threads wait for each other.
template <class Game>
class BoundActor {
public:
    using Root = typename Game::Root;
    using Told = typename Game::Told;

    BoundActor(std::size_t slots, int width, int height, std::uint64_t seed, const selfplay::PlaySettings& settings,
               const Told& told, const FeatureSet& set)
        : width_(width),
          height_(height),
          set_(set),
          actor_(Game::make(slots, width, height, seed, settings, told, set)) {}

    const FeatureSet& features() const { return set_; }
    std::tuple<std::size_t, int, int> plane_shape() const { return {set_.planes.size(), height_, width_}; }
    std::size_t free() const {
        return locked([&] { return actor_->free(); });
    }
    std::uint64_t start(const Root& state, const std::vector<int>& opening, std::uint64_t seed) {
        if (state.width() != width_ || state.height() != height_)
            throw nanobind::value_error("the board has another size");
        return locked([&] { return actor_->start(state, opening, seed); });
    }
    int collect(const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers,
                const std::optional<BoolsOut>& is_root) {
        const std::size_t room = planes.shape(0);
        if (std::tuple(planes.shape(1), static_cast<int>(planes.shape(2)), static_cast<int>(planes.shape(3))) !=
                plane_shape() ||
            !globals_fit(numbers, room, set_.globals.size()) || (is_root && is_root->shape(0) != room))
            throw nanobind::value_error("the arrays do not fit the features");
        float *const planes_at = planes.data(), *const numbers_at = numbers ? numbers->data() : nullptr;
        bool* const roots_at = is_root ? is_root->data() : nullptr;
        const nanobind::gil_scoped_release release;
        return static_cast<int>(locked([&] { return actor_->collect(room, planes_at, numbers_at, roots_at); }));
    }
    void deliver(const Answers& answers) {
        const nanobind::gil_scoped_release release;
        locked([&] { actor_->deliver(answers.read(set_, width_, height_, actor_->oldest())); });
    }
    nanobind::list finished() {
        nanobind::list out;
        for (selfplay::Record& game : locked([&] { return actor_->finished(); }))
            out.append(facts_of(std::move(game), width_, height_));
        return out;
    }
    auto game(std::size_t slot) const {
        return locked([&] { return actor_->game(slot); });
    }
    selfplay::Counts counts() const {
        return locked([&] { return actor_->counts(); });
    }

private:
    template <class Do>
    auto locked(const Do& what) const {
        const std::lock_guard lock(mutex_);
        return what();
    }

    int width_, height_;
    const FeatureSet& set_;
    std::unique_ptr<selfplay::AnyActor<Root>> actor_;
    mutable std::mutex mutex_;
};

// The set of that name, or the game's default.
template <class Game>
const FeatureSet& set_named(const std::string& name) {
    for (const FeatureSet* set : Game::sets())
        if (name.empty() || set->name == name) return *set;
    throw nanobind::value_error(("the game has no feature set " + name).c_str());
}

template <class Game>
auto bind_selfplay(nanobind::module_& module, const char* name) {
    namespace nb = nanobind;
    using Bound = BoundActor<Game>;
    using Root = typename Game::Root;
    return nb::class_<Bound>(module, name, "Many games at once by self-play (engine/search/selfplay.py).")
        .def(
            "__init__",
            [](Bound* self, std::size_t slots, int width, int height, std::uint64_t seed,
               std::map<std::string, double> given, const std::string& features, bool suicide_in_life) {
                if (slots < 1 || slots > 4096) throw nb::value_error("slots must lie between 1 and 4096");
                typename Game::Told told{};
                if constexpr (requires { told.suicide_in_life; }) told.suicide_in_life = suicide_in_life;
                selfplay::PlaySettings settings;
                for (const auto& [option, value] : given) selfplay::set(settings, option, value);
                new (self) Bound(slots, width, height, seed, settings, told, set_named<Game>(features));
            },
            nb::arg("slots"), nb::arg("width"), nb::arg("height"), nb::arg("seed") = 0,
            nb::arg("settings") = std::map<std::string, double>(), nb::kw_only(), nb::arg("features") = "",
            nb::arg("suicide_in_life") = false,
            "Room for so many games on boards of this size. seed: of the symmetries positions are seen through. settings:\n"
            "by name, see `options`. features: the feature set, by name; the game's default where there is none. suicide_in_life:\n"
            "see GoTree.tell. ValueError for an unknown option, a value out of range, a set that the game has not.")
        .def_static(
            "options",
            [] {
                std::vector<std::tuple<std::string, double, double, double, std::string, std::string>> out;
                for (const auto& o : selfplay::options_of({}))
                    out.emplace_back(o.name, std::get<double>(o.value), o.low, o.high, o.doc, o.kind);
                return out;
            },
            "(name, value, low, high, what it does, number or whole or check) of every setting.")
        .def_prop_ro("features", [](const Bound& self) { return self.features(); })
        .def_prop_ro("plane_shape", &Bound::plane_shape, "(planes, height, width) of a leaf.")
        .def_prop_ro("free", &Bound::free, "Slots without a game.")
        .def(
            "start", &Bound::start, nb::arg("state"), nb::arg("opening") = std::vector<int>(), nb::arg("seed") = 0,
            "Begin a game in a free slot, from a position and an opening of dense moves; its number. ValueError for what\n"
            "cannot be played, RuntimeError when no slot is free.")
        .def(
            "collect", &Bound::collect, nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(),
            nb::arg("is_root").noconvert() = nb::none(),
            "Write what a network sees of at most as many leaves as there are rows, and return how many. 0: none before\n"
            "an answer comes, or no game is on. is_root: a bool a row, whether the leaf is the root of its search.")
        .def(
            "deliver",
            [](Bound& self, const FloatsIn<2>& policies, const FloatsIn<2>& values,
               const std::optional<FloatsIn<1>>& scores, const std::optional<FloatsIn<2>>& owners,
               const std::optional<FloatsIn<2>>& errors) { self.deliver({policies, values, scores, owners, errors}); },
            nb::arg("policies"), nb::arg("values"), nb::arg("scores") = nb::none(), nb::arg("owners") = nb::none(),
            nb::arg("errors") = nb::none(), "The answers to the oldest batch, as GoTree.deliver takes them.")
        .def("finished", &Bound::finished, nb::sig("def finished(self) -> list[dict[str, object]]"),
             "The games that have ended since it was asked last, in the order in which they did.")
        .def("game", &Bound::game, nb::arg("slot"),
             "The game that goes on in a slot: its number and its moves so far. None where there is none.")
        .def_prop_ro(
            "counts",
            [](const Bound& self) {
                const selfplay::Counts counts = self.counts();
                return std::map<std::string, std::uint64_t>{{"answered", counts.answered},
                                                            {"cached", counts.cached},
                                                            {"games", counts.games},
                                                            {"moves", counts.moves},
                                                            {"full", counts.full}};
            },
            "How many positions were answered by the evaluator and by the cache, games ended, moves searched, and fully so.");
}

}  // namespace tengen::bind
