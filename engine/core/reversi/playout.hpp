// Playouts to the end of the game, on two words; `own` is the side to move.
#pragma once

#include "core/random.hpp"
#include "core/reversi/bits.hpp"

namespace tengen::reversi {

struct Ending {
    Bits own, enemy;  // of the side that was to move at the start
    int plies;        // passes included
};

// Play to the end; `choose(moves, own, enemy)` names a bit of `moves`, `note(move, flip)` hears of every move,
// flip = 1 when it is the other side's.
template <class Choose, class Note>
inline Ending play_out(Bits own, Bits enemy, Choose&& choose, Note&& note) {
    int plies = 0, flip = 0;
    Bits can = moves(own, enemy);
    while (true) {
        if (!can) {
            can = moves(enemy, own);
            if (!can) break;
            ++plies;  // a pass
        } else {
            const int move = choose(can, own, enemy);
            note(move, flip);
            const Bits turned = flips(own, enemy, move);
            own |= turned | 1ULL << move;
            enemy &= ~turned;
            ++plies;
            can = moves(enemy, own);
        }
        std::swap(own, enemy);
        flip ^= 1;
    }
    if (flip) std::swap(own, enemy);
    return {own, enemy, plies};
}

inline int uniform_move(Bits can, Random& random) {
    return nth_bit(can, static_cast<int>(random.below(static_cast<std::uint32_t>(count(can)))));
}

inline Ending uniform_playout(Bits own, Bits enemy, Random& random) {
    return play_out(own, enemy, [&](Bits can, Bits, Bits) { return uniform_move(can, random); }, [](int, int) {});
}

}  // namespace tengen::reversi
