// Perft: the leaves of the game tree at a depth. A pass is a ply; a game that ended earlier is one leaf.
#pragma once

#include <cstdint>

#include "core/reversi/wide.hpp"

namespace tengen::reversi {

// The last ply is counted in bulk.
inline std::int64_t perft(Bits own, Bits enemy, int depth) {
    if (depth == 0) return 1;
    const Bits can = moves(own, enemy);
    if (!can) return moves(enemy, own) ? perft(enemy, own, depth - 1) : 1;
    if (depth == 1) return count(can);
    std::int64_t leaves = 0;
    for (Bits rest = can; rest; rest &= rest - 1) {
        const int move = lowest(rest);
        const Bits turned = flips(own, enemy, move);
        leaves += perft(enemy & ~turned, own | turned | 1ULL << move, depth - 1);
    }
    return leaves;
}

}  // namespace tengen::reversi
