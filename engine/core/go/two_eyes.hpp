// Does a group have two eyes? A judgement of shape, with the opponent to move.
//
// A group is what its chains' virtual connections hold together: two common liberties, or one where the opponent
// would be in atari at once. Its eyes are the small regions that only its own chains enclose, each worth what its
// shape is worth, unless diagonals that the opponent has or can safely get make it false.
#pragma once

#include "core/go/board.hpp"

namespace tengen::go {

// p must hold a stone.
template <int N>
bool has_two_eyes(const Board<N>& board, int p);

}  // namespace tengen::go
