// The stones of both sides as bit lanes, one a line: rows, columns and both diagonals.
//
// A lane of a capacity up to 15 has 16 bits, so that the four lines through a cell fit one 64-bit word; one of up to
// 25 has 32 and takes two words. The bit above the longest line is always clear, which keeps shifted lanes apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "core/gomoku/shape.hpp"

namespace tengen::gomoku {

inline constexpr int kDirections = 4;  // row, column, diagonal (row - column constant), antidiagonal

// Where a cell lies on one of its lines: bits `low`..`high`-1 of the lane are on the board.
struct Place {
    int lane, bit, low, high;
};

template <int N>
class Lanes {
public:
    static constexpr int kStride = N <= 15 ? 16 : 32;  // a cell is row * kStride + column
    static constexpr int kCellBound = kStride * N;
    static constexpr int kWords = N <= 15 ? 1 : 2;
    using Lane = std::conditional_t<N <= 15, std::uint16_t, std::uint32_t>;
    using Packed = std::array<std::uint64_t, kWords>;

    static constexpr int row(int cell) { return cell / kStride; }
    static constexpr int column(int cell) { return cell % kStride; }
    static constexpr int cell(int row, int column) { return row * kStride + column; }
    // Steps along the four directions, towards higher bits.
    static constexpr std::array<int, kDirections> kStep = {1, kStride, kStride + 1, 1 - kStride};

    void put(int cell, int colour) { flip(lanes_[colour], row(cell), column(cell)); }
    bool has(int cell, int colour) const { return lanes_[colour][row(cell)] >> column(cell) & 1; }
    bool is_empty(int cell) const { return !((lanes_[0][row(cell)] | lanes_[1][row(cell)]) >> column(cell) & 1); }
    Lane row_lane(int colour, int row) const { return lanes_[colour][row]; }

    // The four lines of one colour through a cell.
    Packed through(int cell, int colour) const {
        const int r = row(cell), c = column(cell);
        const auto& of = lanes_[colour];
        const std::uint64_t a = of[r], b = of[kColumns + c], d = of[kDiagonals + r - c], e = of[kAntidiagonals + r + c];
        if constexpr (kWords == 1)
            return {a | b << 16 | d << 32 | e << 48};
        else
            return {a | b << 32, d | e << 32};
    }
    // Put the stone and return the lines through it, it included.
    Packed put_through(int cell, int colour) {
        const int r = row(cell), c = column(cell);
        auto& of = lanes_[colour];
        const Lane at_row = static_cast<Lane>(Lane{1} << r), at_column = static_cast<Lane>(Lane{1} << c);
        const std::uint64_t a = of[r] = static_cast<Lane>(of[r] | at_column);
        const std::uint64_t b = of[kColumns + c] = static_cast<Lane>(of[kColumns + c] | at_row);
        const std::uint64_t d = of[kDiagonals + r - c] = static_cast<Lane>(of[kDiagonals + r - c] | at_column);
        const std::uint64_t e = of[kAntidiagonals + r + c] = static_cast<Lane>(of[kAntidiagonals + r + c] | at_column);
        if constexpr (kWords == 1)
            return {a | b << 16 | d << 32 | e << 48};
        else
            return {a | b << 32, d | e << 32};
    }

    static Place place(int width, int height, int cell, int direction) {
        const int r = row(cell), c = column(cell);
        const int back = direction == 2 ? std::min(r, c) : std::min(c, height - 1 - r);
        const int forth = direction == 2 ? std::min(height - 1 - r, width - 1 - c) : std::min(width - 1 - c, r);
        switch (direction) {
            case 0: return {r, c, 0, width};
            case 1: return {kColumns + c, r, 0, height};
            case 2: return {kDiagonals + r - c, c, c - back, c + forth + 1};
            default: return {kAntidiagonals + r + c, c, c - back, c + forth + 1};
        }
    }
    // A colour's stones on the line of a place, shifted so that `>> bit & kWindow` is the window around a bit of that
    // line; cells beyond the edge are set.
    std::uint64_t windows(const Place& place, int colour) const {
        const std::uint64_t beyond = ~((std::uint64_t{1} << place.high) - (std::uint64_t{1} << place.low));
        const std::uint64_t lane = lanes_[colour][place.lane];
        constexpr std::uint64_t left = (1u << kReach) - 1;  // of bit 0
        return (lane | beyond) << kReach | left;
    }
    // The window of a colour's stones around a place.
    unsigned window(const Place& place, int colour) const {
        return static_cast<unsigned>(windows(place, colour) >> place.bit) & kWindow;
    }

    bool operator==(const Lanes&) const = default;

private:
    static constexpr int kColumns = kStride, kDiagonals = 2 * kStride + N - 1, kAntidiagonals = 4 * kStride;

    static void flip(std::array<Lane, 6 * kStride>& of, int r, int c) {
        const Lane at_row = static_cast<Lane>(Lane{1} << r), at_column = static_cast<Lane>(Lane{1} << c);
        of[r] ^= at_column;
        of[kColumns + c] ^= at_row;
        of[kDiagonals + r - c] ^= at_column;
        of[kAntidiagonals + r + c] ^= at_column;
    }

    std::array<std::array<Lane, 6 * kStride>, 2> lanes_{};
};

// Whether packed lanes of `mine` hold a five that wins, with `theirs` on the same lines (read in caro only).
template <LineRule kRule, std::size_t kWords>
bool has_five(const std::array<std::uint64_t, kWords>& mine, const std::array<std::uint64_t, kWords>& theirs) {
    for (std::size_t i = 0; i < kWords; ++i) {
        const std::uint64_t x = mine[i], two = x & x >> 1, five = two & two >> 2 & x >> 4;
        if (!five) continue;
        if constexpr (kRule == LineRule::kFiveOrMore) return true;
        const std::uint64_t longer = x << 1 | x >> 5;
        const std::uint64_t stopped = theirs[i] << 1 & theirs[i] >> 5;
        if constexpr (kRule == LineRule::kExactFive || kRule == LineRule::kRenjuBlack) {
            if (five & ~longer) return true;
        } else if constexpr (kRule == LineRule::kCaro) {
            if (five & (longer | ~stopped)) return true;
        } else {
            if (five & ~longer & ~stopped) return true;
        }
    }
    return false;
}

// Calls f(std::integral_constant<LineRule, ...>).
template <class F>
decltype(auto) with_line_rule(LineRule rule, F&& f) {
    switch (rule) {
        case LineRule::kExactFive: return f(std::integral_constant<LineRule, LineRule::kExactFive>{});
        case LineRule::kRenjuBlack: return f(std::integral_constant<LineRule, LineRule::kRenjuBlack>{});
        case LineRule::kCaro: return f(std::integral_constant<LineRule, LineRule::kCaro>{});
        case LineRule::kExactCaro: return f(std::integral_constant<LineRule, LineRule::kExactCaro>{});
        default: return f(std::integral_constant<LineRule, LineRule::kFiveOrMore>{});
    }
}

}  // namespace tengen::gomoku
