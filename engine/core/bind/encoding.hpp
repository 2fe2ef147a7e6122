// Encoding of one position for networks, from Python: bind_planes<go::Sets>(type, "go-v1"), and the sets of a game for
// the list of all: add_sets<go::Sets>(module).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/arrays.hpp"
#include "core/encoders.hpp"
#include "core/symmetry.hpp"

namespace tengen::bind {

using Array3 = decltype(make_array<float>(1, 1, 1));
using Array1 = decltype(make_array<float>(1));
using Encoded = std::tuple<Array3, Array1>;

// The past of a position, as a caller gives it: dense moves, positions.
template <class State>
struct Told {
    std::vector<int> recent, banned;
    std::vector<const State*> earlier;
    int symmetry = 0;
};

// Throws ValueError for what does not fit the position.
template <class State>
void check(const State& state, const Told<State>& told) {
    if (told.symmetry < 0 || told.symmetry >= symmetry_count(state.width(), state.height()))
        throw nanobind::value_error("no symmetry of this board");
    const auto is_off = [&](int move, int bound) { return move < 0 || move >= bound; };
    for (int move : told.recent)
        if (move != -1 && is_off(move, state.move_bound())) throw nanobind::value_error("off the board");
    for (int cell : told.banned)
        if (is_off(cell, state.cells())) throw nanobind::value_error("off the board");
    for (const State* before : told.earlier)
        if (before == nullptr || before->width() != state.width() || before->height() != state.height())
            throw nanobind::value_error("an earlier position is of another size");
}

// `write(small, past, planes, globals)` fills the arrays of a set.
template <class Sets, class State, class Write>
Encoded encode(const State& state, const Told<State>& told, const FeatureSet& set, const Write& write) {
    check(state, told);
    auto planes = make_array<float>(set.planes.size(), state.height(), state.width());
    auto globals = make_array<float>(set.globals.size());
    float *const planes_at = planes.data(), *const globals_at = globals.data();
    const nanobind::gil_scoped_release release;
    Sets::on_smallest(state, [&](const auto& small) {
        using S = std::decay_t<decltype(small)>;
        std::vector<int> recent, banned;
        for (int move : told.recent) recent.push_back(move == -1 ? -1 : small.from_dense(move));
        for (int cell : told.banned) banned.push_back(small.from_dense(cell));
        std::vector<S> boards;
        for (const State* before : told.earlier) boards.emplace_back(*before);
        std::vector<const S*> earlier;
        for (const S& board : boards) earlier.push_back(&board);
        write(small, Past<S>{recent, banned, earlier}, planes_at, globals_at);
    });
    return {planes, globals};
}

template <class Sets>
void add_sets(nanobind::module_& module) {
    for (const FeatureSet* set : sets_of<Sets>()) module.attr("add_feature_set")(*set);
}

template <class Sets, class State>
void bind_planes(nanobind::class_<State>& type, const char* first) {
    namespace nb = nanobind;
    using Moves = std::vector<int>;
    type.def(
        "planes",
        [](const State& state, const std::string& name, Moves recent, Moves banned, std::vector<const State*> earlier,
           int symmetry) {
            const Told<State> told{std::move(recent), std::move(banned), std::move(earlier), symmetry};
            const FeatureSet* set = nullptr;
            Sets::on_smallest(state, [&](const auto& small) { set = find_encoder(Sets::encoders(small), name).set; });
            const auto write = [&](const auto& small, const auto& past, float* planes, float* globals) {
                find_encoder(Sets::encoders(small), name).write(small, past, symmetry, planes, globals);
            };
            return std::get<0>(encode<Sets>(state, told, *set, write));
        },
        nb::arg("name") = first, nb::arg("recent") = Moves{}, nb::arg("banned") = Moves{},
        nb::arg("earlier") = std::vector<const State*>{}, nb::arg("symmetry") = 0,
        "float32[planes, height, width] of a feature set without globals (`feature_sets`). recent: the last moves, newest\n"
        "last, -1 unknown; banned: cells that only an earlier position forbids; earlier: the positions before the last\n"
        "moves, newest last; symmetry: the position seen through one.");
}

}  // namespace tengen::bind
