// What networks see of gomoku: height x width floats a plane from the mover's view, no globals; a policy has a number a
// cell, row-major.
//
// "alphazero-gomoku-v1", as the program AlphaZero_Gomoku has it, on boards of any size:
//    0, 1   own stones, enemy stones
//    2      the last move
//    3      1 everywhere when the first player is to move, which is when the stones are even in number
// That program turns the rows of its planes upside down and leaves those of its policy; here neither is turned.
//
// "gomoku-v1":
//    0      on the board
//    1, 2   own stones, enemy stones
//    3-6    the last four moves, newest first
//    7      1 everywhere when Black is to move
//    8-11   the rule: standard, renju, caro, exact caro; none of them is freestyle
//   12      empty cells that renju forbids to Black, whoever is to move
//   13-16   empty cells where a stone of the mover makes on some line a five, an open four, a four, an open three
//   17-20   the same for the enemy
// An open four wins on its line whatever the reply: two cells make a five of it, and no one stone stops both; it is no
// four besides. What an overline is worth is the rule's business. A line knows nothing of renju's fouls: those are plane
// 12's. (Before the release of 0.1.0 two windows of five that lack the same cell were taken for an open four.)
#pragma once

#include "core/encoders.hpp"
#include "core/gomoku/state.hpp"

namespace tengen::gomoku {

struct AlphaZeroGomokuV1 {
    static constexpr int kPlanes = 4;
    static const FeatureSet& set();
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals);
};

struct GomokuV1 {
    static constexpr int kPlanes = 21, kRecent = 4;
    static const FeatureSet& set();
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals);
};

// All sets of the game.
template <int N>
std::span<const Encoder<State<N>>> encoders() {
    static const Encoder<State<N>> all[] = {encoder_of<GomokuV1, State<N>>(),
                                            encoder_of<AlphaZeroGomokuV1, State<N>>()};
    return all;
}

// What is generic over games asks here (core/encoders.hpp).
struct Sets {
    using Root = State<kLargest>;
    static Root example(int width = 15, int height = 15) { return Root(width, height, Rule::kFreestyle); }
    template <class F>
    static decltype(auto) on_smallest(const Root& root, const F& f) {
        return with_capacity(root.width(), root.height(), [&](auto capacity) { return f(State<capacity()>(root)); });
    }
    template <int N>
    static auto encoders(const State<N>&) {
        return gomoku::encoders<N>();
    }
};

}  // namespace tengen::gomoku
