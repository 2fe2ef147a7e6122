// What a move wins or loses on its target square when both sides go on taking there with the least piece first (static
// exchange evaluation).
#pragma once

#include "core/chess/board.hpp"

namespace tengen::chess {

inline constexpr int kExchangeValues[kKinds] = {100, 320, 330, 500, 950, 20000};

// In centipawns, for who plays the legal move.
int exchange(const Board& board, int move);
// Whether that is `least` or more.
bool gains(const Board& board, int move, int least);

}  // namespace tengen::chess
