// Static exchange evaluation (SEE): what a move wins or loses on its target square when both sides go on taking there,
// each with its least piece first. Pins are not looked at.
#pragma once

#include <array>

#include "core/chess/board.hpp"

namespace tengen::chess {

using ExchangeValues = std::array<int, kKinds>;  // centipawns, by kind
inline constexpr ExchangeValues kExchangeValues{100, 320, 330, 500, 950, 20000};

// In centipawns, for who plays the legal move.
int see(const Board& board, int move);
// Whether the exchange, with these values, wins at least so much.
bool see_ge(const Board& board, int move, int threshold, const ExchangeValues& values = kExchangeValues);

}  // namespace tengen::chess
