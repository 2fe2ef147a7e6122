// Discs that can never be turned, as far as they are found quickly: they bound what the other side can still get.
//
// A disc is stable where it is on an edge on which no sequence of moves turns it, or where in each of the four
// directions its line is full or its neighbour on it is a stable disc of the same side.
#pragma once

#include "core/reversi/bits.hpp"

namespace tengen::reversi {

// A part of the discs of `own` that stay its own whatever is played; not all of them.
Bits stable(Bits own, Bits enemy);

}  // namespace tengen::reversi
