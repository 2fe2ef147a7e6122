// What a stone on an empty cell makes of one line, for both sides at once: the table behind LineBoard.
//
// A `Pattern` is a Shape (shape.hpp), split where the evaluation tells more: by how many cells one more stone can go to
// the next shape. The table's key is the cells around an empty one, four to either side in freestyle (no five reaches
// further), five elsewhere. Entries are computed when they are first asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "core/gomoku/shape.hpp"

namespace tengen::gomoku {

// From worthless to winning; the shape's name, with the number of ways to the next one.
enum class Pattern : std::uint8_t {
    kNone,
    kOne,           // no way to an open two
    kOpenOne,       // at least one
    kTwo,           //
    kOpenTwo,       // one or two ways to an open three
    kOpenTwoThree,  // three
    kOpenTwoFour,   // four or more
    kThree,         //
    kOpenThree,     // one way to an open four
    kOpenThreeTwo,  // two or more
    kFour,          //
    kOpenFour,      //
    kDoubleFour,    //
    kFive,          //
    kOverline,      //
};
inline constexpr int kPatterns = 15;

// The shape that a pattern belongs to.
constexpr Shape shape_of(Pattern pattern) {
    constexpr std::array<Shape, kPatterns> kShapeOf = {
        Shape::kNone,    Shape::kOne,      Shape::kOne,        Shape::kTwo,       Shape::kOpenTwo,
        Shape::kOpenTwo, Shape::kOpenTwo,  Shape::kThree,      Shape::kOpenThree, Shape::kOpenThree,
        Shape::kFour,    Shape::kOpenFour, Shape::kDoubleFour, Shape::kFive,      Shape::kOverline};
    return kShapeOf[static_cast<std::size_t>(pattern)];
}

// The definition, from a window as `classify` takes it.
Pattern pattern_of(LineRule rule, unsigned mine, unsigned theirs);

// Black's pattern in the low four bits, White's in the high ones.
class PatternTable {
public:
    explicit PatternTable(Rule rule);
    // black, white: windows around an empty cell; cells beyond the edge are set in both.
    std::uint8_t operator()(unsigned black, unsigned white) {
        const std::uint32_t key =
            is_narrow_ ? narrow(black) | narrow(white) << 8 : squeeze(black) | squeeze(white) << 10;
        const std::uint8_t known = entries_[key].load(std::memory_order_relaxed);
        return known != kUnknown ? known : fill(key, black, white);
    }
    int reach() const { return is_narrow_ ? kReach - 1 : kReach; }

private:
    static constexpr std::uint8_t kUnknown = 0xff;  // no pattern has all bits set
    static constexpr unsigned narrow(unsigned window) { return (window >> 1 & 0xfu) | (window >> 2 & 0xf0u); }
    std::uint8_t fill(std::uint32_t key, unsigned black, unsigned white);

    Rule rule_;
    bool is_narrow_;
    std::unique_ptr<std::atomic<std::uint8_t>[]> entries_;
};

// Thread-safe: every thread would write the same byte.
PatternTable& pattern_table(Rule rule);

}  // namespace tengen::gomoku
