// The eight symmetries of the board, as numbers 0..7.
//
// Bit 0 mirrors the columns, bit 1 mirrors the rows, bit 2 then swaps rows and columns; 0 changes nothing.
// A rectangular board keeps its shape only under 0..3.
#pragma once

#include "core/go/state.hpp"

namespace tengen::go {

constexpr int kSymmetries = 8;

constexpr int symmetry_count(int width, int height) { return width == height ? kSymmetries : kSymmetries / 2; }

// Where a cell of a width x height board goes. `symmetry` must be below symmetry_count().
constexpr int transform_cell(int cell, int width, int height, int symmetry) {
    int row = cell / width, column = cell % width;
    if (symmetry & 1) column = width - 1 - column;
    if (symmetry & 2) row = height - 1 - row;
    return symmetry & 4 ? column * width + row : row * width + column;
}

// The symmetry that undoes this one: mirroring comes first, so a swap exchanges the two mirrors.
constexpr int inverse_symmetry(int symmetry) {
    return symmetry & 4 ? 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 : symmetry;
}

// The same position seen through a symmetry: stones, ko, last moves; everything else is kept.
template <int N>
State<N> transform(const State<N>& state, int symmetry) {
    const auto& from = state.board();
    const int width = from.width(), height = from.height();
    const auto map = [&](int p) {
        return p == 0 ? 0 : from.point_of_cell(transform_cell(from.cell(p), width, height, symmetry));
    };
    State<N> to(width, height, state.rules(), state.komi());
    for (int c = 0; c < from.cells(); ++c) {
        const int p = from.point_of_cell(c);
        if (from.stone(p) != kEmpty) to.board().put(map(p), from.stone(p));
    }
    to.board().set_ko(map(from.ko()), from.ko_stone());
    for (int stone : {kBlack, kWhite}) to.board().set_captured(stone, from.captured(stone));
    to.set_to_move(state.to_move());
    to.set_passes(state.passes());
    to.set_move_number(state.move_number());
    to.set_last_moves(map(state.last_move()), map(state.last_move2()));
    return to;
}

}  // namespace tengen::go
