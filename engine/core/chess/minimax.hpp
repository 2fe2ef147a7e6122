// Minimax of a fixed depth, as the chess program that this project grew from played: material and how far the pieces
// have come, nothing else. Alpha-beta here only saves time: what it says is what plain minimax says.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/chess/board.hpp"

namespace tengen::chess::minimax {

inline constexpr int kMate = 1'000'000;  // less the plies until it; no sum of pieces comes near it
inline constexpr int kDeepest = 12;

// For the side to move: its pieces by their values and 400 less the sum of their ranks, less the same of the enemy.
// Ranks are counted from the enemy's end, 0 (where a pawn promotes) to 7.
int evaluate(const Board& board);

// A root move: what it is worth to the side to move, and the moves that both would play, beginning with it.
struct Found {
    int move, score;
    std::vector<int> pv;
};
struct Answer {
    std::vector<Found> moves;  // as they were given
    long long nodes = 0;
};

// Every one of these legal moves, looked `depth` plies ahead (1 to kDeepest), itself the first of them. Of equal
// replies the least number is taken. Mates count less what they take; stalemates, dead positions and fifty moves are 0.
// Repetitions are not seen. `is_stopped` is asked now and then; nothing comes back once it is true.
std::optional<Answer> search(const Board& board, int depth, std::span<const int> moves,
                             const std::function<bool()>& is_stopped);

}  // namespace tengen::chess::minimax
