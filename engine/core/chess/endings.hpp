// A side with nothing but its king, against enough to mate it: what drives that king to where it is mated.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/chess/board.hpp"

namespace tengen::chess {

inline int steps_between(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

inline bool is_bare(const Board& board, int colour) { return (board.of(colour) & (board.of(colour) - 1)) == 0; }

// In centipawns for the side to move; nothing where no side is so poor, or no mate can be forced.
inline std::optional<int> lone_king(const Board& board) {
    if (!is_bare(board, kWhite) && !is_bare(board, kBlack)) return std::nullopt;
    const int loser = is_bare(board, kWhite) ? kWhite : kBlack, winner = loser ^ 1;
    constexpr Bits kDark = 0xaa55aa55aa55aa55ULL;
    const Bits bishops = board.of(winner, kBishop), knights = board.of(winner, kKnight);
    const bool has_heavy = board.of(winner, kRook) | board.of(winner, kQueen);
    const bool has_both = (bishops & kDark) && (bishops & ~kDark);
    if (!has_heavy && !has_both && !(bishops && knights)) return std::nullopt;
    const Square hunted = board.king(loser), hunter = board.king(winner);
    const int file = std::min(file_of(hunted), 7 - file_of(hunted)), rank = std::min(rank_of(hunted), 7 - rank_of(hunted));
    int drive = 10 * (7 - steps_between(hunted, hunter));
    if (has_heavy || has_both) {
        drive += 20 * (6 - file - rank);
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

}  // namespace tengen::chess
