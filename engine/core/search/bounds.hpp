// The bounds of one run of a search.
#pragma once

#include <cstdint>

namespace tengen::search {

struct Bounds {  // 0: none
    double seconds = 0;
    std::uint64_t playouts = 0, visits = 0;
    int depth = 0;  // plies that the search looks ahead, as its report says (Line::depth)
    bool early_stop = false;
    bool to_end = false;  // near the end of the game look to it, where that costs about what `depth` plies do
    double plan =
        0;  // beside early_stop: seconds that the run takes on the whole, `seconds` where its move is in doubt
};

}  // namespace tengen::search
