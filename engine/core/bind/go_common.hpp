// Common parts of the bindings of Go: the bound state type, rule names, checked moves, numpy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "core/bind/arrays.hpp"
#include "core/go/capacity.hpp"
#include "core/go/state.hpp"

namespace tengen::bind {

namespace nb = nanobind;

// Python's GoState: one class for every size; searches copy it to the smallest capacity that holds the board.
using GoState = go::State<go::kMaxSize>;
using GoBoard = GoState::BoardType;

inline void check_size(int width, int height) {
    if (width < 2 || height < 2 || width > go::kMaxSize || height > go::kMaxSize)
        throw nb::value_error("unacceptable size");
}

// Throws ValueError("unknown ko rule", ...) for a name that is none of CONTRACT's.
inline go::Rules parse_rules(const std::string& ko, bool suicide, const std::string& scoring, const std::string& tax) {
    const auto index = [](const std::string& name, std::initializer_list<const char*> names, const char* error) {
        const auto* at = std::find_if(names.begin(), names.end(), [&](const char* n) { return name == n; });
        if (at == names.end()) throw nb::value_error(error);
        return static_cast<std::uint8_t>(at - names.begin());
    };
    go::Rules rules;
    rules.ko = static_cast<go::Ko>(index(ko, {"simple", "positional", "situational"}, "unknown ko rule"));
    rules.scoring = static_cast<go::Scoring>(index(scoring, {"area", "territory"}, "unknown scoring"));
    rules.tax = static_cast<go::Tax>(index(tax, {"none", "seki", "all"}, "unknown tax"));
    rules.suicide = suicide;
    return rules;
}

inline int check_colour(int colour) {
    if (colour != 0 && colour != 1) throw nb::value_error("a colour is 0 or 1");
    return colour;
}

// The point of a cell of this board. Throws ValueError("off the board").
inline int point_of(const GoState& state, int cell) {
    if (cell < 0 || cell >= state.cells()) throw nb::value_error("off the board");
    return state.board().point_of_cell(cell);
}

// A native move that the rules allow. Throws ValueError with the reason.
inline int legal_move(const GoState& state, int dense) {
    if (dense == state.cells()) return GoState::kPass;
    const int p = point_of(state, dense), stone = state.stone_to_move();
    if (state.board().stone(p) != go::kEmpty) throw nb::value_error("occupied");
    if (state.board().is_ko(p, stone)) throw nb::value_error("ko");
    if (!state.is_legal(p)) throw nb::value_error("suicide");
    return p;
}

// One value a cell, row-major from the top: value(point).
template <class T, class F>
auto map_cells(const GoBoard& board, F value) {
    auto out = make_array<T>(board.height(), board.width());
    T* to = out.data();
    for (int c = 0; c < board.cells(); ++c) to[c] = static_cast<T>(value(board.point_of_cell(c)));
    return out;
}

}  // namespace tengen::bind
