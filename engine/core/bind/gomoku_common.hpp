// Common parts of the bindings of Gomoku: the bound state type, rule names, checked cells.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "core/gomoku/state.hpp"

namespace tengen::bind {

namespace nb = nanobind;

// Python's GomokuState: one class for every size; searches copy it to the smallest capacity that holds the board.
using GomokuState = gomoku::State<gomoku::kLargest>;

// Throws ValueError("unacceptable size") or ValueError("unknown rule").
inline GomokuState make_gomoku(int width, int height, const std::string& rule) {
    for (int side : {width, height})
        if (side < gomoku::kSmallest || side > gomoku::kLargest) throw nb::value_error("unacceptable size");
    for (std::size_t i = 0; i < gomoku::kRuleNames.size(); ++i)
        if (rule == gomoku::kRuleNames[i]) return GomokuState(width, height, static_cast<gomoku::Rule>(i));
    throw nb::value_error("unknown rule");
}

inline int check_player(int colour) {
    if (colour != 0 && colour != 1) throw nb::value_error("a colour is 0 or 1");
    return colour;
}

// The native cell of a dense one. Throws ValueError("off the board").
inline int gomoku_cell(const GomokuState& state, int dense) {
    if (dense < 0 || dense >= state.cells()) throw nb::value_error("off the board");
    return state.from_dense(dense);
}

void bind_gomoku_search(nb::module_& module);     // gomoku_search.cpp: GomokuMcts, gomoku_playouts, gomoku_perft
void bind_gomoku_alphabeta(nb::module_& module);  // gomoku_alphabeta.cpp: GomokuAlphaBeta

}  // namespace tengen::bind
