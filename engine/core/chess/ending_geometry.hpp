// Distances, colours of squares, and boards seen as if the stronger side were White.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "core/chess/board.hpp"

namespace tengen::chess {

inline constexpr Bits kDark = 0xaa55aa55aa55aa55ULL;

inline int steps_between(Square a, Square b) {  // of a king
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

inline int steps_to_corner(Square square) {  // as a rook's steps, which go along the edge in the end
    return std::min(file_of(square), 7 - file_of(square)) + std::min(rank_of(square), 7 - rank_of(square));
}

// The squares of a colour.
inline Bits squares_like(Square square) { return bit(square) & kDark ? kDark : ~kDark; }

// The square as White sees it whose pawns go up; for Black the board is turned upside down.
inline Square seen_by(int colour, Square square) { return colour == kWhite ? square : square ^ 56; }

// Where a pawn of that colour on this file promotes.
inline Square promotion_of_file(int colour, int file) { return seen_by(colour, 56 + file); }

inline bool is_bare(const Board& board, int colour) { return (board.of(colour) & (board.of(colour) - 1)) == 0; }

// Pieces beside pawns and king, in pawns.
inline int pieces_worth(const Board& board, int colour) {
    return 3 * count(board.of(colour, kKnight) | board.of(colour, kBishop)) + 5 * count(board.of(colour, kRook)) +
           9 * count(board.of(colour, kQueen));
}

}  // namespace tengen::chess
