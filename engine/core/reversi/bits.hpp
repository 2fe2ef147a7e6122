// Reversi on two 64-bit sets of cells: which cells may be played, what a move turns. Bit i is cell i, a1 = bit 0 in
// the top left corner, b1 = bit 1, a2 = bit 8.
//
// Moves are found by a parallel prefix fill (Kogge-Stone) in eight directions. Flips use a mask for each direction:
// towards higher bits a carry runs through the enemy discs, towards lower bits the nearest other cell is the top bit.
// This is the plain code, the reference of the tests; wide.hpp does four directions at once where the CPU can.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace tengen::reversi {

using Bits = std::uint64_t;

constexpr int kSide = 8, kCells = 64;
constexpr Bits kFileA = 0x0101010101010101ULL, kFileH = kFileA << 7;
constexpr Bits kInnerFiles = ~(kFileA | kFileH);
constexpr Bits kCorners = 0x8100000000000081ULL;
constexpr Bits kXSquares = 0x0042000000004200ULL;  // diagonally next to a corner
constexpr Bits kCSquares = 0x4281000000008142ULL;  // next to a corner on the edge
constexpr Bits kEdges = 0xff818181818181ffULL;     // corners included
constexpr Bits kBlackStart = 1ULL << 28 | 1ULL << 35, kWhiteStart = 1ULL << 27 | 1ULL << 36;

inline int count(Bits bits) { return std::popcount(bits); }
inline int lowest(Bits bits) { return std::countr_zero(bits); }

// The index of the set bit number `n`, counted from the lowest.
inline int nth_bit(Bits bits, int n) {
#if defined(__BMI2__)
    return lowest(_pdep_u64(1ULL << n, bits));
#else
    while (n-- > 0) bits &= bits - 1;
    return lowest(bits);
#endif
}

// Cells in a line from `cell`, without it: four directions of rising bits, then their opposites.
struct Lines {
    alignas(32) std::array<Bits, 4> up;    // east, south-west, south, south-east
    alignas(32) std::array<Bits, 4> down;  // west, north-east, north, north-west
};

constexpr std::array<Lines, kCells> make_lines() {
    constexpr int kRow[4] = {0, 1, 1, 1}, kColumn[4] = {1, -1, 0, 1};
    std::array<Lines, kCells> lines{};
    for (int cell = 0; cell < kCells; ++cell)
        for (int d = 0; d < 4; ++d)
            for (int sign : {1, -1}) {
                Bits mask = 0;
                int row = cell / kSide + sign * kRow[d], column = cell % kSide + sign * kColumn[d];
                for (; row >= 0 && row < kSide && column >= 0 && column < kSide;
                     row += sign * kRow[d], column += sign * kColumn[d])
                    mask |= 1ULL << (row * kSide + column);
                auto& line = lines[static_cast<std::size_t>(cell)];
                (sign > 0 ? line.up : line.down)[static_cast<std::size_t>(d)] = mask;
            }
    return lines;
}

inline constexpr std::array<Lines, kCells> kLines = make_lines();

// Cells next to any of `bits`, in eight directions; `bits` themselves only where they touch.
inline Bits neighbours(Bits bits) {
    const Bits row = (bits & ~kFileH) << 1 | (bits & ~kFileA) >> 1, both = bits | row;
    return row | both << 8 | both >> 8;
}

// The sum, over the cells of `bits`, of how many of the eight neighbours are in `others`.
inline int count_contacts(Bits bits, Bits others) {
    const Bits east = (bits & ~kFileH) << 1, west = (bits & ~kFileA) >> 1;
    return count(east & others) + count(west & others) + count(bits << 8 & others) + count(bits >> 8 & others) +
           count(east << 8 & others) + count(east >> 8 & others) + count(west << 8 & others) +
           count(west >> 8 & others);
}

namespace plain {

inline Bits fill_moves(Bits own, Bits enemy, int shift) {
    Bits up = enemy & own << shift, down = enemy & own >> shift;
    up |= enemy & up << shift;
    down |= enemy & down >> shift;
    const Bits pairs_up = enemy & enemy << shift, pairs_down = enemy & enemy >> shift;
    up |= pairs_up & up << 2 * shift;
    down |= pairs_down & down >> 2 * shift;
    up |= pairs_up & up << 2 * shift;
    down |= pairs_down & down >> 2 * shift;
    return up << shift | down >> shift;
}

// Empty cells where `own` may play.
inline Bits moves(Bits own, Bits enemy) {
    const Bits inner = enemy & kInnerFiles;
    return (fill_moves(own, inner, 1) | fill_moves(own, inner, 7) | fill_moves(own, enemy, 8) |
            fill_moves(own, inner, 9)) &
           ~(own | enemy);
}

// Enemy discs that `own` turns by playing the empty cell; 0 when it may not.
inline Bits flips(Bits own, Bits enemy, int cell) {
    const Lines& lines = kLines[static_cast<std::size_t>(cell)];
    Bits turned = 0;
    for (std::size_t d = 0; d < 4; ++d) {
        const Bits up = lines.up[d], end = own & up & ((enemy | ~up) + 1);
        if (end) turned |= (end - 1) & up;
        const Bits down = lines.down[d], others = down & ~enemy;
        const int top = 63 - std::countl_zero(others | 1);
        if (others & own & 1ULL << top) turned |= down & ~((2ULL << top) - 1);
    }
    return turned;
}

}  // namespace plain

}  // namespace tengen::reversi
