// What a stone on an empty cell would make of one line: the table behind fouls, threats and priors.
//
// A window is the eleven cells around the cell, which is bit 5; the cell itself is left out of the key. Each of the
// ten others is empty, mine, theirs, or beyond the edge (both bits). Ten cells decide everything up to a three
// exactly: a five with both of its neighbours lies within five cells. Entries are computed when first asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/gomoku/rule.hpp"

namespace tengen::gomoku {

// From worthless to winning. Names are those of the stone once placed.
enum class Shape : std::uint8_t {
    kNone,        // no five is possible here any more
    kOne,         //
    kTwo,         // one more stone makes a three that can be stopped
    kOpenTwo,     // one more stone makes an open three
    kThree,       // one more stone makes a four
    kOpenThree,   // one more stone makes an open four
    kFour,        // one more stone wins, and one reply stops it
    kOpenFour,    // wins whatever the reply, at both ends of an unbroken row of four: the rule book's straight four
    kDoubleFour,  // wins whatever the reply, on two other cells: of two different fours on this one line
    kFive,        // wins
    kOverline,    // six or more that do not win
};
inline constexpr int kShapes = 11;

constexpr bool is_four(Shape shape) { return shape >= Shape::kFour && shape <= Shape::kDoubleFour; }

inline constexpr int kReach = 5;  // cells to either side of a window
inline constexpr unsigned kWindow = 0x7ff, kCentre = 1u << kReach;

// The definition, from a window with `mine` (the centre's bit is ignored) and `theirs`; both = beyond the edge.
Shape classify(LineRule rule, unsigned mine, unsigned theirs);

// The ten cells around the centre of a window.
constexpr unsigned squeeze(unsigned window) { return (window & 31u) | (window >> 1 & 0x3e0u); }

// The same from a table. Thread-safe: every thread would write the same byte.
class ShapeTable {
public:
    explicit ShapeTable(LineRule rule) : rule_(rule) {}
    Shape operator()(unsigned mine, unsigned theirs) {
        const unsigned key = squeeze(mine) | squeeze(theirs) << 10;
        const std::uint8_t known = entries_[key].load(std::memory_order_relaxed);
        return known ? static_cast<Shape>(known - 1) : fill(key, mine, theirs);
    }

private:
    Shape fill(unsigned key, unsigned mine, unsigned theirs);
    LineRule rule_;
    std::array<std::atomic<std::uint8_t>, 1 << 20> entries_{};  // 0: not yet known
};

ShapeTable& shape_table(LineRule rule);

}  // namespace tengen::gomoku
