// What a position is worth in place of the evaluation, in centipawns for the stronger side: what leads to the mate or to
// the promotion that it has won, or how little there is to be won.
#pragma once

#include "core/chess/ending_geometry.hpp"

namespace tengen::chess::endings {

inline constexpr int kWorth[kKinds] = {100, 300, 300, 500, 900, 0};

inline int men_worth(const Board& board, int colour) {
    int out = 0;
    for (int kind = kPawn; kind < kKing; ++kind) out += kWorth[kind] * count(board.of(colour, kind));
    return out;
}

inline bool always(const Board&, int) { return true; }

// More than a minor piece ahead.
inline bool is_rook_ahead(const Board& board, int strong) {
    return pieces_worth(board, strong) - pieces_worth(board, strong ^ 1) > 3;
}

// Whether a side can mate a bare king by pieces alone.
inline bool can_mate(const Board& board, int strong) {
    const Bits bishops = board.of(strong, kBishop), knights = board.of(strong, kKnight);
    const bool has_both = (bishops & kDark) && (bishops & ~kDark);
    return board.of(strong, kRook) | board.of(strong, kQueen) || has_both || (bishops && knights);
}

// A bare king is driven to a corner: by bishop and knight, whatever else there is, to one of the bishop's colour.
inline int mating(const Board& board, int strong) {
    const Bits bishops = board.of(strong, kBishop);
    const Square hunted = board.king(strong ^ 1), hunter = board.king(strong);
    const bool has_heavy = board.of(strong, kRook) | board.of(strong, kQueen);
    const bool has_both = (bishops & kDark) && (bishops & ~kDark);
    int drive = 10 * (7 - steps_between(hunted, hunter));
    if (has_heavy || has_both) {
        drive += 20 * (6 - steps_to_corner(hunted));
    } else {
        const int seen = bishops & kDark ? file_of(hunted) : 7 - file_of(hunted);
        drive += 40 * std::abs(7 - seen - rank_of(hunted));
    }
    return 600 + drive + men_worth(board, strong);
}

// Two knights mate nobody who does not help.
inline int nothing(const Board&, int) { return 0; }

// A pawn that gets through: the further, the better.
inline int promoting(const Board& board, int strong) {
    return 500 + 30 * rank_of(seen_by(strong, lowest(board.of(strong, kPawn))));
}

// One piece without pawns against a rook more or so: its king is driven to a corner, the other one comes, best while the
// piece is far.
inline int hunting(const Board& board, int strong) {
    const int ahead = pieces_worth(board, strong) - pieces_worth(board, strong ^ 1);
    const Square hunted = board.king(strong ^ 1), guard = lowest(board.of(strong ^ 1) & ~bit(hunted));
    return 400 + 50 * ahead + 25 * (6 - steps_to_corner(hunted)) +
           20 * (7 - steps_between(hunted, board.king(strong))) + 4 * steps_between(hunted, guard);
}

// A rook against a minor piece is no win, but the edge and a knight far from its king may lose.
inline int pressing(const Board& board, int strong) {
    const Square held = board.king(strong ^ 1), piece = lowest(board.of(strong ^ 1) & ~bit(held));
    return 3 * (6 - steps_to_corner(held)) + 2 * steps_between(held, piece);
}

// A queen against a pawn: won, but where the pawn is a step before promotion on an edge or a bishop's file with its king
// beside it: there the other king has to be near.
inline int queen_against_pawn(const Board& board, int strong) {
    const int weak = strong ^ 1;
    const Square pawn = lowest(board.of(weak, kPawn));
    const int near = 10 * (7 - steps_between(board.king(strong), pawn));
    const bool is_last = rank_of(seen_by(weak, pawn)) == 6 && steps_between(board.king(weak), pawn) == 1;
    const bool is_lucky = (kFileA | kFileA << 2 | kFileA << 5 | kFileH) & bit(pawn);
    return is_last && is_lucky ? near : 650 + near;
}

}  // namespace tengen::chess::endings
