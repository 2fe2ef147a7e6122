// Ladder reading: can a chain with one or two liberties be captured by a sequence of ataris?
//
// The attacker only plays the two liberties of a chain in turn; the defender extends or captures any enemy chain in
// atari beside it. Ko is respected: a chain that could be taken only by retaking a ko at once has escaped.
// Bounded by a number of positions: a chain that could not be read to the end within it counts as escaped.
#pragma once

#include "core/go/board.hpp"

namespace tengen::go {

constexpr int kLadderNodes = 20000;

// Whether the chain at p is captured. With one liberty its owner moves first; with two the opponent does;
// with more it is never captured. p must hold a stone.
template <int N>
bool is_ladder(const Board<N>& board, int p, int nodes = kLadderNodes);

// Whether the chain at p, in atari, is captured although its owner moves first.
template <int N>
bool is_captured_in_atari(const Board<N>& board, int p, int nodes = kLadderNodes);

// Whether `stone` played at the liberty `move` of the enemy chain at p, which has two liberties, captures it.
// A trivial capture is one that leaves the chain no second liberty whatever it does.
enum class LadderStart { kFails, kTrivial, kLadder };
template <int N>
LadderStart start_ladder(const Board<N>& board, int p, int move, int nodes = kLadderNodes);

// Whether the owner of the chain at p can capture an enemy chain beside it, now, and have two liberties or more.
template <int N>
bool can_countercapture(const Board<N>& board, int p);

}  // namespace tengen::go
