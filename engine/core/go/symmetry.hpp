// A Go position through one of the symmetries of core/symmetry.hpp.
#pragma once

#include "core/go/state.hpp"
#include "core/symmetry.hpp"

namespace tengen::go {

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
