// Playouts to the end of the game, on two words; `own` is the side to move.
#pragma once

#include <utility>

#include "core/random.hpp"
#include "core/reversi/wide.hpp"

namespace tengen::reversi {

struct Ending {
    Bits own, enemy;  // of the side that was to move at the start
    int plies;        // passes included
};

// Play to the end; `choose(moves)` names a bit of `moves`.
template <class Choose>
inline Ending play_out(Bits own_bits, Bits enemy_bits, Choose&& choose) {
    Wide own(own_bits), enemy(enemy_bits);
    int plies = 0, flip = 0;
    Bits can = moves(own, enemy);
    while (true) {
        if (!can) {
            can = moves(enemy, own);
            if (!can) break;
            ++plies;  // a pass
        } else {
            const int move = choose(can);
            const Wide turned = flips(own, enemy, move);
            own = own | Wide(1ULL << move) | turned;
            enemy = without(enemy, turned);
            ++plies;
            can = moves(enemy, own);
        }
        std::swap(own, enemy);
        flip ^= 1;
    }
    if (flip) std::swap(own, enemy);
    return {own.bits(), enemy.bits(), plies};
}

inline int uniform_move(Bits can, Random& random) {
    return nth_bit(can, static_cast<int>(random.below(static_cast<std::uint32_t>(count(can)))));
}

inline Ending uniform_playout(Bits own, Bits enemy, Random& random) {
    return play_out(own, enemy, [&](Bits can) { return uniform_move(can, random); });
}

}  // namespace tengen::reversi
