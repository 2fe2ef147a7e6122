// How much of an advantage counts that can hardly be won.
#pragma once

#include "core/chess/ending_draws.hpp"
#include "core/chess/ending_geometry.hpp"

namespace tengen::chess::endings {

inline constexpr int kWhole = 64;

// Whether the defender's king stands before the last pawn: Stockfish 15.1 with 150,000 nodes found 114 of 120 random rook
// endings of that kind within 60 centipawns of even, and 56 of 120 others.
inline bool is_king_before_pawn(const Board& board, int strong) {
    const Square pawn = seen_by(strong, lowest(board.of(strong, kPawn)));
    return steps_between(seen_by(strong, board.king(strong ^ 1)), 56 + file_of(pawn)) <= 1;
}

// A rook and the last pawn against a rook, where the defender knows how to hold: with its king before the pawn, the rook
// on the third rank until the pawn comes there (Philidor), then behind everything, from where it gives checks; or, against
// an edge pawn that its own rook stands before, with the rook behind it and the king out of reach of checks.
inline bool is_rook_ending_held(const Board& board, int strong) {
    const int weak = strong ^ 1;
    const Square pawn = seen_by(strong, lowest(board.of(strong, kPawn))), king = seen_by(strong, board.king(strong));
    const Square rook = seen_by(strong, lowest(board.of(strong, kRook)));
    const Square holder = seen_by(strong, board.king(weak)), guard = seen_by(strong, lowest(board.of(weak, kRook)));
    const bool is_strong_to_move = board.to_move() == strong;
    const Square goal = 56 + file_of(pawn);
    if (is_king_before_pawn(board, strong)) {
        if (rank_of(pawn) <= 4 && rank_of(king) <= 4 && rank_of(guard) == 5) return true;
        const bool is_behind = rank_of(guard) == 0;
        if (rank_of(pawn) == 5 && rank_of(king) + is_strong_to_move <= 5 && is_behind) return true;
        if (rank_of(pawn) >= 5 && holder == goal && is_behind && (!is_strong_to_move || steps_between(king, pawn) >= 2))
            return true;
    }
    const bool is_edge = file_of(pawn) == 0 || file_of(pawn) == 7;
    const int far = std::abs(file_of(holder) - file_of(pawn));
    return is_edge && rank_of(pawn) == 6 && rook == goal && rank_of(holder) == 6 && far >= 6 &&
           file_of(guard) == file_of(pawn) && rank_of(guard) <= 2;
}

// Of kWhole, how much of an advantage of that side counts: less with fewer than four pawns and at most a minor piece ahead
// (as Stockfish has it), without pawns and a rook or so ahead (as Fruit and its descendants have it), with one pawn that a
// piece may be given for, and with bishops of opposite colours alone.
inline int winnable(const Board& board, int strong) {
    const int weak = strong ^ 1, pawns = count(board.of(strong, kPawn));
    const Bits others = board.kind(kKnight) | board.kind(kRook) | board.kind(kQueen);
    if (pawns > 3 && others) return kWhole;
    const int own = pieces_worth(board, strong), enemy = pieces_worth(board, weak);
    const int few = own - enemy > 3 ? kWhole : std::min(kWhole, 40 + 6 * pawns);
    if (pawns > 1 && others) return few;
    const bool has_light_alone = !(board.of(strong) & others);
    if (has_light_alone && is_corner_kept(board, strong)) return 0;
    const Bits bishops = board.kind(kBishop);
    if (pawns > 0 && !others && count(board.of(strong, kBishop)) == 1 && count(bishops) == 2 &&
        count(bishops & kDark) == 1) {
        const int more = pawns - count(board.of(weak, kPawn));
        return pawns == 1 && more == 1 ? 4 : std::min(kWhole, 16 * std::max(1, more));
    }
    if (pawns > 1) return few;
    if (own - enemy > 3) return kWhole;
    if (pawns == 1) {
        if (own == 5 && enemy == 5 && count(board.all()) == 5 && board.kind(kRook)) {
            if (is_rook_ending_held(board, strong)) return 2;
            if (is_king_before_pawn(board, strong)) return 16;
        }
        return own <= 3 && enemy >= 3 ? 32 : 48;
    }
    return own < 5 ? 0 : enemy <= 3 ? 4 : 14;
}

}  // namespace tengen::chess::endings
