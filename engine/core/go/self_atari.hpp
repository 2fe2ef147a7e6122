// Bad self-atari: is a move that leaves its own chain one liberty (or none) a mistake?
//
// A self-atari is good when it takes something, when taking it back pays (snapback), when it keeps an enclosed
// group from two eyes (nakade, throw-in, eye falsification) or wins a race from inside; it is bad otherwise, and
// above all when it makes the enemy's eyes for him or when the chain could have escaped. A judgement of shape, not
// a proof; its cases are the rows of tests/core/test_go_selfatari.py.
#pragma once

#include "core/go/board.hpp"

namespace tengen::go {

// Whether `stone` at the empty point p is suicide, a bad self-atari, or fills a liberty that the chain cannot spare.
template <int N>
bool is_bad_self_atari(const Board<N>& board, int p, int stone);

// Whether `stone` at p invites a capture that is answered by capturing more: the taker of the new chain is left in
// atari with at least two stones. Ko fights and captures of two chains at once are none.
template <int N>
bool is_snapback(const Board<N>& board, int p, int stone);

}  // namespace tengen::go
