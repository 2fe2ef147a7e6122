// Uniform playouts: every move is drawn evenly from the legal points that are not the mover's own eyes.
//
// Two passes in a row or 3 * N^2 moves end the game (the definition of the benchmark, docs/benchmarks.md).
#pragma once

#include "core/go/state.hpp"
#include "core/random.hpp"

namespace tengen::go {

// A legal point that is no own eye, drawn evenly, or 0 (pass) when there is none.
template <int N>
inline int random_move(const Board<N>& board, int stone, Random& random) {
    const int count = board.empty_count();
    // A few independent draws nearly always succeed; then scan from a random place in a shuffled order.
    for (int tries = 0; tries < 6 && count > 0; ++tries) {
        const int p = board.empty_at(static_cast<int>(random.below(static_cast<std::uint32_t>(count))));
        if (!board.is_playout_eye(p, stone) && board.is_legal(p, stone)) return p;
    }
    int candidates[Board<N>::kCells], found = 0;
    for (int i = 0; i < count; ++i) {
        const int p = board.empty_at(i);
        if (!board.is_playout_eye(p, stone) && board.is_legal(p, stone)) candidates[found++] = p;
    }
    return found ? candidates[random.below(static_cast<std::uint32_t>(found))] : Board<N>::kNone;
}

// Black's margin without komi when all that is left are eyes: stones plus single-colour surrounded points.
template <int N>
inline int playout_margin(const Board<N>& board) {
    int black = board.cells() - board.empty_count();
    int white = 0;
    for (int row = 0; row < board.height(); ++row)
        for (int column = 0; column < board.width(); ++column)
            white += board.stone(Board<N>::point(row, column)) == kWhite;
    black -= white;
    for (int i = 0; i < board.empty_count(); ++i) {
        const unsigned low = board.neighbourhood(board.empty_at(i)) & 0xff;
        // A field is 3 for the wall, so "no white" is: no field equal to 2, and likewise for black.
        const unsigned high_bits = low >> 1 & 0x55, low_bits = low & 0x55;
        const bool has_empty = (high_bits | low_bits) != 0x55;
        const bool has_black = (low_bits & ~high_bits) != 0, has_white = (high_bits & ~low_bits) != 0;
        if (has_empty) continue;
        black += has_black && !has_white;
        white += has_white && !has_black;
    }
    return black - white;
}

template <int N>
inline int uniform_playout(State<N>& state, Random& random) {
    const int limit = 3 * state.cells();
    for (int moves = 0; moves < limit && !state.is_terminal(); ++moves)
        state.play(random_move(state.board(), state.stone_to_move(), random));
    return playout_margin(state.board());
}

}  // namespace tengen::go
