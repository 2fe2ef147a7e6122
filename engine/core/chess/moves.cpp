#include "core/chess/moves.hpp"

#include <algorithm>
#include <array>

namespace tengen::chess {

bool is_legal(const Board& board, int move) {
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data());
    return std::find(moves.begin(), moves.begin() + size, move) != moves.begin() + size;
}

std::uint64_t perft(const Board& board, int depth, bool in_bulk) {
    if (depth <= 0) return 1;
    if (in_bulk && depth == 1) return count_legal_moves(board);
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data());
    std::uint64_t leaves = 0;
    for (int i = 0; i < size; ++i) {
        Board next = board;
        next.play(moves[static_cast<std::size_t>(i)]);
        leaves += depth > 1 ? perft(next, depth - 1, in_bulk) : 1;
    }
    return leaves;
}

}  // namespace tengen::chess
