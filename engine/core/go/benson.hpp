// Unconditional life (Benson 1976): stones that live although their owner passes for ever.
//
// For one colour's chains and the regions that they enclose: drop every chain with fewer than two vital regions and
// every region that a dropped chain borders, until nothing changes. A region is vital to a chain when all of its empty
// points are liberties of that chain. Where suicide is allowed, enemy stones inside can vanish at will, so there every
// point of a vital region has to touch the chain. Exact under every rule of ko.
#pragma once

#include "core/go/regions.hpp"

namespace tengen::go {

// Marks (1) the stones of colour `stone` that are unconditionally alive, and the regions vital to one of them, in
// which the opponent can never live (enemy stones inside included). Everything else is 0.
template <int N>
void pass_alive(const Board<N>& board, int stone, bool suicide, PointMap<N>& alive);

}  // namespace tengen::go
