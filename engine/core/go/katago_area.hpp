// The owners of points, as the inputs "katago-v7" define them: area with what is dead inside pass-alive walls, and with
// taxes.
//
// A side's region (what its stones enclose) is its own when all chains around it are pass-alive and at most one of its
// points touches none of them, or no enemy stone is in it; other regions without enemies are its own where nobody owns
// them yet; then stones are their colour's.
#pragma once

#include "core/go/regions.hpp"
#include "core/go/state.hpp"

namespace tengen::go {

// Owner of every point, kEmpty for nobody. With a tax, points that touch a neutral one through their owner's area, or
// belong to an area with a chain in atari, are in seki: of these stones alone count.
template <int N>
void katago_area(const Board<N>& board, Tax tax, bool suicide, PointMap<N>& owner);

}  // namespace tengen::go
