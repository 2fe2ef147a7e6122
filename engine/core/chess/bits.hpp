// Squares and sets of squares of a chess board: a1 is 0, b1 is 1, h8 is 63; a set is a word of 64 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace tengen::chess {

using Bits = std::uint64_t;
using Square = int;

inline constexpr int kSquares = 64, kSide = 8;
inline constexpr Bits kFileA = 0x0101010101010101ULL, kFileH = kFileA << 7;
inline constexpr Bits kRank1 = 0xff, kRank8 = kRank1 << 56;

constexpr Bits bit(Square square) { return 1ULL << square; }
constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
constexpr Bits rank(int number) { return kRank1 << (8 * number); }
inline int count(Bits bits) { return std::popcount(bits); }
inline Square lowest(Bits bits) { return std::countr_zero(bits); }
inline Square take_lowest(Bits& bits) {
    const Square square = lowest(bits);
    bits &= bits - 1;
    return square;
}

// A step towards the eighth rank (kUp) or the first; files may not wrap.
template <bool kUp>
constexpr Bits forward(Bits bits) {
    return kUp ? bits << 8 : bits >> 8;
}
constexpr Bits west(Bits bits) { return bits >> 1 & ~kFileH; }
constexpr Bits east(Bits bits) { return bits << 1 & ~kFileA; }

}  // namespace tengen::chess
