// Ladders as the inputs "katago-v7" mean them. They differ from ladder.hpp in what kos are worth.
//
// A chain with one liberty is laddered when its owner, moving first, cannot get three liberties or two on the attacker's
// turn; one with two liberties when an attacker's move at one of them leads there. Attackers play liberties, defenders
// extend or capture a chain in atari that touches theirs. A ko that the attacker takes saves the defender; whoever is
// banned by a ko before the first move of the attacker, neither may play there, and the defender's first move is banned
// from nothing. A chain whose two liberties are both ko mouths of the attacker, with nothing to capture, is lost.
#pragma once

#include "core/go/regions.hpp"

namespace tengen::go {

template <int N>
struct KataLadders {
    PointMap<N> captured;  // 1: a stone of a laddered chain
    // The first moves of ladders that capture a chain with two liberties: 1 for a black chain, 2 for a white one, 3 for
    // both.
    PointMap<N> moves;
};

template <int N>
void katago_ladders(const Board<N>& board, KataLadders<N>& ladders);

// The same, of boards that this thread read lately without reading again: the position before a leaf is its parent's.
// Valid until the thread asks again.
template <int N>
const KataLadders<N>& remembered_ladders(const Board<N>& board);

}  // namespace tengen::go
