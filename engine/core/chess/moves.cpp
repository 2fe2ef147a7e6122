#include "core/chess/moves.hpp"

#include <algorithm>
#include <array>

namespace tengen::chess {

bool is_legal(const Board& board, int move) {
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data());
    return std::find(moves.begin(), moves.begin() + size, move) != moves.begin() + size;
}

}  // namespace tengen::chess
