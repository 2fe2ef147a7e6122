// What networks see of Reversi: feature set "reversi-v1". No globals; a policy has a number a cell, and one for the pass
// behind them.
//
// Planes, 8 x 8 floats from the mover's view:
//    0      on the board
//    1, 2   own discs, enemy discs
//    3, 4   where the mover may play, where the enemy might, were it to move
//    5, 6   own, enemy discs next to an empty cell (also diagonally)
//    7      the last move
//    8      the last move was a pass
//    9      the share of the cells that is empty
#pragma once

#include "core/encoders.hpp"
#include "core/reversi/state.hpp"

namespace tengen::reversi {

struct ReversiV1 {
    static constexpr int kPlanes = 10;
    static const FeatureSet& set();
    static void encode(const State& state, const Past<State>& past, int symmetry, float* planes, float* globals);
};

// All sets of the game.
std::span<const Encoder<State>> encoders();

// What is generic over games asks here (core/encoders.hpp).
struct Sets {
    using Root = State;
    static Root example() { return Root(); }
    template <class F>
    static decltype(auto) on_smallest(const Root& root, const F& f) {
        return f(root);
    }
    static auto encoders(const State&) { return reversi::encoders(); }
};

}  // namespace tengen::reversi
