// Feature planes of Go positions: what a network sees, encoded once, here.
//
// Every plane is height x width floats from the mover's view. Set "go-v1":
//    0      on the board (1 everywhere; tells the board from padding)
//    1, 2   own stones, enemy stones
//    3-6    stones of chains with 1, 2, 3, 4 or more liberties
//    7      points banned by ko, and those that the caller bans (superko)
//    8-12   the last five moves, newest first; a pass, or no history, marks nothing
//   13      the last move was a pass
//   14      points that komi gives the mover (negative: takes), divided by 15
//   15-20   area scoring, tax on seki, tax on all groups, positional superko, situational superko, suicide
//   21, 22  own, enemy chains with one or two liberties that a ladder captures (ladder.hpp)
//   23, 24  own, enemy stones and regions that are unconditionally alive (benson.hpp)
#pragma once

#include "core/features.hpp"
#include "core/go/state.hpp"

namespace tengen::go {

// A policy has a number a cell, row-major, and one for the pass behind them. There are no globals.
struct GoV1 {
    static constexpr int kPlanes = 25;
    static constexpr int kRecent = 5;
    static const FeatureSet& set();
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes,
                       float* globals = nullptr);
};

}  // namespace tengen::go
