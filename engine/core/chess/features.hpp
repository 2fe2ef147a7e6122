// What networks see of chess. Squares are cells of 8 x 8 floats seen by the side to move, whose own first rank is the
// last row: Black's view is turned upside down, files stay.
//
// A policy is of the board as it is, not as it is seen, since a move does not say whose it is: from + 64 to, then 72
// for promotions to less than a queen, 4096 + 24 (piece - 1) + 3 (file) + (files to the right + 1). The number "black"
// tells a network how its policy lies.
//
// "chess-v1", planes:
//    0      on the board
//    1-6    own pawns, knights, bishops, rooks, queens, king;   7-12  the enemy's
//   13, 14  own rooks, enemy rooks that may still castle
//   15      where a pawn may be taken en passant
//   16      plies since a capture or a move of a pawn, in hundreds
//   17, 18  what the own side attacks, what the enemy does (through the own king)
//   19      who gives check
//   20-23   from and to of the last move, from and to of the one before
// numbers: Black is to move; the ratings of the side to move and of the other, (Elo - 2000) / 400; whether both are
// known. The encoder knows no ratings: who does writes them over its zeros.
//
// "chess-v2": those and, of each square as it is seen, row by row, where a move from there may end: planes 24-87, the number
// of what the move does (move_facts.hpp), 0 where none is legal.
//
// "chess-fromto-v1", planes: pawns, knights, bishops, rooks, queens, kings, own 1, the enemy's -1. Number: Black is to
// move.
#pragma once

#include "core/chess/state.hpp"
#include "core/encoders.hpp"

namespace tengen::chess {

struct ChessV1 {
    static constexpr int kPlanes = 24;
    static const FeatureSet& set();
    static void encode(const State& state, const Past<State>& past, int symmetry, float* planes, float* globals);
};

struct ChessV2 {
    static constexpr int kPlanes = ChessV1::kPlanes + kSquares;
    static const FeatureSet& set();
    static void encode(const State& state, const Past<State>& past, int symmetry, float* planes, float* globals);
};

struct FromToV1 {
    static constexpr int kPlanes = 6;
    static const FeatureSet& set();
    static void encode(const State& state, const Past<State>& past, int symmetry, float* planes, float* globals);
};

// All sets of the game.
std::span<const Encoder<State>> encoders();

// What is generic over games asks here (core/encoders.hpp).
struct Sets {
    using Root = State;
    static Root example(int = kSide, int = kSide) { return Root(Board()); }
    template <class F>
    static decltype(auto) on_smallest(const Root& root, const F& f) {
        return f(root);
    }
    static auto encoders(const State&) { return chess::encoders(); }
};

}  // namespace tengen::chess
