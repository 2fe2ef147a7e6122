#include "core/go/neighbourhood.hpp"

namespace tengen::go {

NeighbourhoodTable::NeighbourhoodTable() {
    for (unsigned code = 0; code < 65536; ++code) {
        int orthogonal[4] = {}, diagonal[4] = {};  // counts by empty, black, white, wall
        for (int i = 0; i < 4; ++i) {
            ++orthogonal[code >> (2 * i) & 3];
            ++diagonal[code >> (8 + 2 * i) & 3];
        }
        std::uint8_t flag = orthogonal[kEmpty] ? kHasEmptyNeighbour : 0;
        for (int stone : {kBlack, kWhite}) {
            if (orthogonal[stone] + orthogonal[kWall] != 4) continue;
            const bool edge = diagonal[kWall] > 0;
            if (diagonal[3 - stone] + (edge ? 1 : 0) < 2) flag |= kPlayoutEye << (stone - 1);
            if (diagonal[stone] + diagonal[kWall] >= (edge ? 4 : 3)) flag |= kTextbookEye << (stone - 1);
        }
        flags[code] = flag;
    }
}

const NeighbourhoodTable kNeighbourhood;

}  // namespace tengen::go
