// The places of Go's moves in a policy: a number a cell, row-major, and one for the pass behind them.
#pragma once

#include "core/symmetry.hpp"

namespace tengen::go {

inline int policy_size(int width, int height) { return width * height + 1; }

inline int policy_index(int move, int width, int height, int symmetry) {
    return move == width * height ? move : transform_cell(move, width, height, symmetry);
}

}  // namespace tengen::go
