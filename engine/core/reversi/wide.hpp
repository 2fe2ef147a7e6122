// Moves and flips as fast as the machine allows: with AVX2 a `Wide` holds the same 64 cells in four lanes, one for each
// pair of directions, and stays in vector registers from move to move; elsewhere it is the plain word.
#pragma once

#include "core/reversi/bits.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tengen::reversi {

#if defined(__AVX2__)

struct Wide {
    __m256i lanes;
    explicit Wide(__m256i value) : lanes(value) {}
    explicit Wide(Bits bits) : lanes(_mm256_set1_epi64x(static_cast<long long>(bits))) {}
    Bits bits() const { return static_cast<Bits>(_mm_cvtsi128_si64(_mm256_castsi256_si128(lanes))); }
};
inline Wide operator|(Wide a, Wide b) { return Wide(_mm256_or_si256(a.lanes, b.lanes)); }
inline Wide without(Wide a, Wide b) { return Wide(_mm256_andnot_si256(b.lanes, a.lanes)); }

namespace detail {

inline __m256i shifts(int times) { return _mm256_set_epi64x(9 * times, 8 * times, 7 * times, times); }

// The union of the lanes, in all of them.
inline Wide united(__m256i v) {
    v = _mm256_or_si256(v, _mm256_permute4x64_epi64(v, 0x4e));
    return Wide(_mm256_or_si256(v, _mm256_shuffle_epi32(v, 0x4e)));
}

inline Bits union_of(__m256i v) {
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<Bits>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

// The highest bit of each lane; none of an empty lane. All bits lie on lines of the lane's direction.
inline __m256i highest(__m256i v) {
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    return _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(1ULL << 63)), _mm256_lzcnt_epi64(v));
#else
    v = _mm256_or_si256(v, _mm256_srlv_epi64(v, shifts(1)));
    v = _mm256_or_si256(v, _mm256_srlv_epi64(v, shifts(2)));
    v = _mm256_or_si256(v, _mm256_srlv_epi64(v, shifts(4)));
    return _mm256_andnot_si256(_mm256_srlv_epi64(v, shifts(1)), v);
#endif
}

}  // namespace detail

// Empty cells where `own` may play.
inline Bits moves(Wide own, Wide enemy) {
    const auto inner = static_cast<long long>(kInnerFiles);
    const __m256i shift = detail::shifts(1), twice = detail::shifts(2);
    const __m256i theirs = _mm256_and_si256(enemy.lanes, _mm256_set_epi64x(inner, -1, inner, inner));
    __m256i up = _mm256_and_si256(theirs, _mm256_sllv_epi64(own.lanes, shift));
    __m256i down = _mm256_and_si256(theirs, _mm256_srlv_epi64(own.lanes, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, shift)));
    const __m256i pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, shift));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    const __m256i found = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    return detail::union_of(without(Wide(found), own | enemy).lanes);
}

namespace detail {

// Lane by lane what a move turns.
inline __m256i flip_lanes(Wide own, Wide enemy, int cell) {
    const Lines& lines = kLines[static_cast<std::size_t>(cell)];
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi64x(-1);
    const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(lines.up.data()));
    const __m256i carry = _mm256_sub_epi64(_mm256_or_si256(enemy.lanes, _mm256_xor_si256(up, ones)), ones);
    const __m256i end = _mm256_and_si256(_mm256_and_si256(own.lanes, up), carry);
    const __m256i below = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), _mm256_add_epi64(end, ones));

    const __m256i down = _mm256_load_si256(reinterpret_cast<const __m256i*>(lines.down.data()));
    const __m256i top = detail::highest(_mm256_andnot_si256(enemy.lanes, down));
    const __m256i stop = _mm256_and_si256(top, own.lanes);
    const __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop));
    return _mm256_or_si256(_mm256_and_si256(below, up), _mm256_and_si256(above, down));
}

}  // namespace detail

// Enemy discs that `own` turns by playing the empty cell; none when it may not.
inline Wide flips(Wide own, Wide enemy, int cell) { return detail::united(detail::flip_lanes(own, enemy, cell)); }
inline Bits flip_bits(Wide own, Wide enemy, int cell) { return detail::union_of(detail::flip_lanes(own, enemy, cell)); }

#else

struct Wide {
    Bits word;
    explicit Wide(Bits bits) : word(bits) {}
    Bits bits() const { return word; }
};
inline Wide operator|(Wide a, Wide b) { return Wide(a.word | b.word); }
inline Wide without(Wide a, Wide b) { return Wide(a.word & ~b.word); }
inline Bits moves(Wide own, Wide enemy) { return plain::moves(own.word, enemy.word); }
inline Wide flips(Wide own, Wide enemy, int cell) { return Wide(plain::flips(own.word, enemy.word, cell)); }
inline Bits flip_bits(Wide own, Wide enemy, int cell) { return plain::flips(own.word, enemy.word, cell); }

#endif

inline Bits moves(Bits own, Bits enemy) { return moves(Wide(own), Wide(enemy)); }
inline Bits flips(Bits own, Bits enemy, int cell) { return flip_bits(Wide(own), Wide(enemy), cell); }

}  // namespace tengen::reversi
