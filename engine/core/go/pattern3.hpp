// The 3x3 patterns that playouts answer with: hane, cuts and edge moves around the last move.
//
// The pattern set is that of MoGo (Gelly, Wang, Munos & Teytaud 2006, "Modification of UCT with patterns in
// Monte-Carlo Go", figures 4-7), in the notation X, O either colour, x / o not X / not O, . empty, ? anything.
#pragma once

#include <cstdint>
#include <vector>

namespace tengen::go {

class PatternTable {
public:
    PatternTable();
    // Whether a move by `stone` at a point with this neighbourhood code matches a pattern.
    bool matches(unsigned code, int stone) const { return flags_[code] & stone; }

private:
    std::vector<std::uint8_t> flags_;
};

extern const PatternTable kPattern3;

}  // namespace tengen::go
