// Why a position is won: the line of a win by fours, or by threes and fours, to the five.
#pragma once

#include <vector>

#include "core/gomoku/patterns.hpp"
#include "core/gomoku/state.hpp"

namespace tengen::gomoku {

struct ThreatMove {
    int cell;
    Threat threat;  // what the attacker's move makes; kNothing of a reply
};

using ThreatLine = std::vector<ThreatMove>;  // of both sides in turn; none: no win was found

// The win of the side to move, searched for among so many positions at most. Replies are those that stop what threatens,
// of them the one after which the win takes longest. A win by threes is replayed against every legal reply before it is
// told. The line ends with a five, or before it where renju forbids Black every reply.
ThreatLine threat_line(const State<kLargest>& state, int positions);

}  // namespace tengen::gomoku
