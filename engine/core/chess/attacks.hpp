// Which squares a piece attacks. Sliding pieces look their attacks up by the occupied squares of their lines, which
// PEXT gathers to an index (BMI2); elsewhere a line is walked by subtraction (o ^ (o - 2r), hyperbola quintessence).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "core/chess/bits.hpp"

namespace tengen::chess {

namespace lines {

constexpr int kSteps[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};  // file, rank

// The squares from one on in a direction, up to the first that is occupied, that one included.
constexpr Bits ray(Square from, int direction, Bits occupied) {
    Bits out = 0;
    int file = file_of(from) + kSteps[direction][0], rank = rank_of(from) + kSteps[direction][1];
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        const Bits here = bit(rank * 8 + file);
        out |= here;
        if (occupied & here) break;
        file += kSteps[direction][0];
        rank += kSteps[direction][1];
    }
    return out;
}
constexpr Bits slide(Square from, bool is_diagonal, Bits occupied) {
    Bits out = 0;
    for (int i = 0; i < 4; ++i) out |= ray(from, is_diagonal * 4 + i, occupied);
    return out;
}
constexpr std::array<Bits, kSquares> leaps(const int (&steps)[8][2]) {
    std::array<Bits, kSquares> out{};
    for (Square from = 0; from < kSquares; ++from)
        for (const auto& step : steps) {
            const int file = file_of(from) + step[0], rank = rank_of(from) + step[1];
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
                out[static_cast<std::size_t>(from)] |= bit(rank * 8 + file);
        }
    return out;
}

constexpr int kKnightSteps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
inline constexpr auto kKnight = leaps(kKnightSteps), kKing = leaps(kSteps);

// The squares between two on a line, the second included; of two that share none, the second alone.
inline constexpr auto kUpTo = [] {
    std::array<std::array<Bits, kSquares>, kSquares> out{};
    for (Square from = 0; from < kSquares; ++from) {
        for (Square to = 0; to < kSquares; ++to)
            out[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = bit(to);
        for (int direction = 0; direction < 8; ++direction) {
            Bits passed = 0;
            for (int file = file_of(from) + kSteps[direction][0], rank = rank_of(from) + kSteps[direction][1];
                 file >= 0 && file < 8 && rank >= 0 && rank < 8;
                 file += kSteps[direction][0], rank += kSteps[direction][1]) {
                passed |= bit(rank * 8 + file);
                out[static_cast<std::size_t>(from)][static_cast<std::size_t>(rank * 8 + file)] = passed;
            }
        }
    }
    return out;
}();

}  // namespace lines

inline Bits knight_attacks(Square from) { return lines::kKnight[static_cast<std::size_t>(from)]; }
inline Bits king_attacks(Square from) { return lines::kKing[static_cast<std::size_t>(from)]; }
inline Bits up_to(Square from, Square to) {
    return lines::kUpTo[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}
// Of all pawns of a colour at once: kUp for White.
template <bool kUp>
constexpr Bits pawn_attacks(Bits pawns) {
    return west(forward<kUp>(pawns)) | east(forward<kUp>(pawns));
}
inline Bits pawn_attacks(bool up, Bits pawns) { return up ? pawn_attacks<true>(pawns) : pawn_attacks<false>(pawns); }

#if defined(__BMI2__)

class SlidingAttacks {
public:
    SlidingAttacks();
    Bits rook(Square from, Bits occupied) const { return of(rooks_[static_cast<std::size_t>(from)], occupied); }
    Bits bishop(Square from, Bits occupied) const { return of(bishops_[static_cast<std::size_t>(from)], occupied); }

private:
    struct Line {
        Bits relevant;  // the squares that matter when they are occupied
        const Bits* attacks;
    };
    static constexpr std::size_t kRooks = 102400, kBishops = 5248;

    static Bits of(const Line& line, Bits occupied) { return line.attacks[_pext_u64(occupied, line.relevant)]; }

    std::array<Line, kSquares> rooks_, bishops_;
    std::array<Bits, kRooks + kBishops> attacks_;
};
extern const SlidingAttacks kSliding;

inline Bits rook_attacks(Square from, Bits occupied) { return kSliding.rook(from, occupied); }
inline Bits bishop_attacks(Square from, Bits occupied) { return kSliding.bishop(from, occupied); }

#else

namespace lines {

struct Masks {
    Bits rank, file, diagonal, anti;
};
inline constexpr auto kMasks = [] {
    std::array<Masks, kSquares> out{};
    for (Square from = 0; from < kSquares; ++from) {
        const auto both = [from](int direction) { return ray(from, direction, 0) | ray(from, direction + 1, 0); };
        out[static_cast<std::size_t>(from)] = {both(0), both(2), both(4), both(6)};
    }
    return out;
}();
inline Bits reversed(Bits bits) {
    bits = (bits >> 1 & 0x5555555555555555ULL) | (bits & 0x5555555555555555ULL) << 1;
    bits = (bits >> 2 & 0x3333333333333333ULL) | (bits & 0x3333333333333333ULL) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (bits & 0x0f0f0f0f0f0f0f0fULL) << 4;
    bits = (bits >> 8 & 0x00ff00ff00ff00ffULL) | (bits & 0x00ff00ff00ff00ffULL) << 8;
    bits = (bits >> 16 & 0x0000ffff0000ffffULL) | (bits & 0x0000ffff0000ffffULL) << 16;
    return bits >> 32 | bits << 32;
}
inline Bits along(Square from, Bits occupied, Bits mask) {
    const Bits on = occupied & mask, up = on - 2 * bit(from);
    const Bits down = reversed(reversed(on) - 2 * bit(63 - from));
    return (up ^ down) & mask;
}

}  // namespace lines

inline Bits rook_attacks(Square from, Bits occupied) {
    const auto& masks = lines::kMasks[static_cast<std::size_t>(from)];
    return lines::along(from, occupied, masks.rank) | lines::along(from, occupied, masks.file);
}
inline Bits bishop_attacks(Square from, Bits occupied) {
    const auto& masks = lines::kMasks[static_cast<std::size_t>(from)];
    return lines::along(from, occupied, masks.diagonal) | lines::along(from, occupied, masks.anti);
}

#endif

}  // namespace tengen::chess
