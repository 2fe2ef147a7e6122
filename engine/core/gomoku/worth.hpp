// What an empty cell is worth to a side by its patterns on the four lines: tables that LineBoard looks up.
//
// A `code` is the four patterns, a nibble each, the row's lowest. An `index` is the same without the order within its two
// pairs, so that the tables stay small: for each pair of patterns a number below 120.
#pragma once

#include <cstdint>

#include "core/gomoku/line.hpp"
#include "core/gomoku/patterns.hpp"

namespace tengen::gomoku {

inline constexpr int kWorthUnit = 8;  // of a Worth, in a unit of score

struct Worth {
    std::int16_t turn, wait;  // of the evaluation, where the side is to move and where it is not
    Threat threat;
    bool has_four;  // a stone makes a four on some line
};
// In the order of moves: of the side's own move, and of the enemy's on that cell.
struct Promise {
    std::int16_t attack, defence;
};

inline constexpr int kPairs = 128, kIndices = kPairs * kPairs;

constexpr Pattern pattern_at(unsigned code, int direction) { return static_cast<Pattern>(code >> 4 * direction & 15u); }

// The number of a pair of patterns, two nibbles, in either order.
inline constexpr std::array<std::uint8_t, 256> kPairOf = [] {
    std::array<std::uint8_t, 256> out{};
    std::uint8_t next = 0;
    for (std::size_t a = 0; a < 15; ++a)
        for (std::size_t b = 0; b <= a; ++b) out[a << 4 | b] = out[b << 4 | a] = next++;
    return out;
}();

constexpr unsigned index_of(unsigned code) {
    return static_cast<unsigned>(kPairOf[code & 0xff]) | static_cast<unsigned>(kPairOf[code >> 8]) * kPairs;
}

// Of a side, by index. Made when first asked for, and shared.
struct WorthTables {
    std::array<Worth, kIndices> worths;
    std::array<Promise, kIndices> promises;
};
const WorthTables& worth_tables(Rule rule, int colour);

// What an evaluation adds for who threatens what: of the side to move (`own`) and of the enemy. A bit each: a four, a
// four with an open three, an open three, two of them, which could be made.
int threats_worth(unsigned own, unsigned enemy);

}  // namespace tengen::gomoku
