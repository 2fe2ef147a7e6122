// What is known of endings. A side with nothing but its king, against enough to mate it: what drives that king to where it
// is mated. And how much of an advantage counts that can hardly be won.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/chess/board.hpp"

namespace tengen::chess {

inline int steps_between(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

inline int steps_to_corner(Square square) {  // as a rook's steps, which go along the edge in the end
    return std::min(file_of(square), 7 - file_of(square)) + std::min(rank_of(square), 7 - rank_of(square));
}

inline constexpr Bits kDark = 0xaa55aa55aa55aa55ULL;

inline bool is_bare(const Board& board, int colour) { return (board.of(colour) & (board.of(colour) - 1)) == 0; }

// In centipawns for the side to move; nothing where no side is so poor, or no mate can be forced.
inline std::optional<int> lone_king(const Board& board) {
    if (!is_bare(board, kWhite) && !is_bare(board, kBlack)) return std::nullopt;
    const int loser = is_bare(board, kWhite) ? kWhite : kBlack, winner = loser ^ 1;
    const Bits bishops = board.of(winner, kBishop), knights = board.of(winner, kKnight);
    const bool has_heavy = board.of(winner, kRook) | board.of(winner, kQueen);
    const bool has_both = (bishops & kDark) && (bishops & ~kDark);
    if (!has_heavy && !has_both && !(bishops && knights)) return std::nullopt;
    const Square hunted = board.king(loser), hunter = board.king(winner);
    int drive = 10 * (7 - steps_between(hunted, hunter));
    if (has_heavy || has_both) {
        drive += 20 * (6 - steps_to_corner(hunted));
    } else {  // bishop and knight mate in a corner of the bishop's colour
        const int seen = bishops & kDark ? file_of(hunted) : 7 - file_of(hunted);
        drive += 40 * std::abs(7 - seen - rank_of(hunted));
    }
    int worth = 600 + drive;
    for (int kind = kPawn; kind < kKing; ++kind) {
        constexpr int kWorth[kKinds] = {100, 300, 300, 500, 900, 0};
        worth += kWorth[kind] * count(board.of(winner, kind));
    }
    return board.to_move() == winner ? worth : -worth;
}

// Pieces beside pawns and king, in pawns.
inline int pieces_worth(const Board& board, int colour) {
    return 3 * count(board.of(colour, kKnight) | board.of(colour, kBishop)) + 5 * count(board.of(colour, kRook)) +
           9 * count(board.of(colour, kQueen));
}

// Whether the last pawns of a side are on one edge file, no bishop of it sees where they promote, and the enemy's king is
// there already.
inline bool is_corner_held(const Board& board, int strong) {
    const Bits pawns = board.of(strong, kPawn);
    if (!pawns || pawns & ~(kFileA | kFileH) || (pawns & kFileA && pawns & ~kFileA)) return false;
    if (board.of(strong, kKnight) | board.of(strong, kRook) | board.of(strong, kQueen)) return false;
    const Square corner = (pawns & kFileA ? 0 : 7) + (strong == kWhite ? 56 : 0);
    const Bits bishops = board.of(strong, kBishop);
    if (bishops & (bit(corner) & kDark ? kDark : ~kDark)) return false;
    return steps_between(board.king(strong ^ 1), corner) <= 1;
}

// Of kWhole, how much of an advantage of that side counts: less with fewer than four pawns and at most a minor piece ahead
// (as Stockfish has it), without pawns and a rook or so ahead (as Fruit and its descendants have it), with one pawn that a
// piece may be given for, and with bishops of opposite colours alone.
inline constexpr int kWhole = 64;
inline int winnable(const Board& board, int strong) {
    const int weak = strong ^ 1, pawns = count(board.of(strong, kPawn));
    const Bits others = board.kind(kKnight) | board.kind(kRook) | board.kind(kQueen);
    if (pawns > 3 && others) return kWhole;
    const int own = pieces_worth(board, strong), enemy = pieces_worth(board, weak);
    const int few = own - enemy > 3 ? kWhole : std::min(kWhole, 40 + 6 * pawns);
    if (pawns > 1 && others) return few;
    if (is_corner_held(board, strong)) return 0;
    const Bits bishops = board.kind(kBishop);
    if (pawns > 0 && !others && count(board.of(strong, kBishop)) == 1 && count(bishops) == 2 && count(bishops & kDark) == 1)
        return std::min(kWhole, 16 * std::max(1, pawns - count(board.of(weak, kPawn))));
    if (pawns > 1) return few;
    if (own - enemy > 3) return kWhole;
    if (pawns == 1) return own <= 3 && enemy >= 3 ? 32 : 48;
    return own < 5 ? 0 : enemy <= 3 ? 4 : 14;
}

// A side with one piece and no pawns anywhere, against a rook more or so: its king is driven to a corner, the other one
// comes. In centipawns for the side to move, less than for a bare king; nothing elsewhere.
inline std::optional<int> lone_piece(const Board& board) {
    if (board.kind(kPawn) || count(board.all()) > 6) return std::nullopt;
    const int ahead = pieces_worth(board, kWhite) - pieces_worth(board, kBlack), winner = ahead > 0 ? kWhite : kBlack;
    if (std::abs(ahead) <= 3 || count(board.of(winner ^ 1)) != 2) return std::nullopt;
    const Square hunted = board.king(winner ^ 1);
    const int worth = 400 + 50 * std::abs(ahead) + 25 * (6 - steps_to_corner(hunted)) +
                      20 * (7 - steps_between(hunted, board.king(winner)));
    return board.to_move() == winner ? worth : -worth;
}

}  // namespace tengen::chess
