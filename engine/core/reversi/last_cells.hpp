// The end of the end: positions of one to four empty cells, by a null window. They are most of what a solver visits, so
// each number of cells has a function of its own, without lists of moves.
//
// Every function: the side to move is `own`; the score is at most `alpha` and a bound from above, or greater and one
// from below. Cells in quarters of the board with an odd number of empty cells come first: who plays there first also
// plays there last (parity).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/reversi/wide.hpp"

namespace tengen::reversi::last {

inline constexpr int kCellsAtMost = 4;
inline constexpr int kNone = -kCells - 1;  // no move was found yet

constexpr std::array<Bits, kCells> make_quarters() {
    std::array<Bits, kCells> out{};
    for (std::size_t cell = 0; cell < kCells; ++cell)
        out[cell] = 0x0f0f0f0fULL << (cell / 32 * 32) << (cell % 8 / 4 * 4);
    return out;
}
// The quarter of the board in which a cell lies.
inline constexpr std::array<Bits, kCells> kQuarters = make_quarters();

constexpr std::array<Bits, kCells> make_beside() {
    std::array<Bits, kCells> out{};
    for (std::size_t cell = 0; cell < kCells; ++cell)
        for (std::size_t d = 0; d < 4; ++d) {
            const Bits up = kLines[cell].up[d], down = kLines[cell].down[d];
            if (up) out[cell] |= up & -up;
            if (down) out[cell] |= 1ULL << (63 - std::countl_zero(down));
        }
    return out;
}
// The neighbours of a cell: where no enemy is, nothing is turned.
inline constexpr std::array<Bits, kCells> kBeside = make_beside();

// How many discs `own` turns by the last empty cell: all others are its own or the enemy's.
inline int count_turned(Bits own, int cell);

inline int score_1(Bits own, int cell) {
    const int balance = 2 * count(own) - 63;  // own discs less the enemy's, before the last one
    if (const int turned = count_turned(own, cell)) return balance + 2 * turned + 1;
    if (const int turned = count_turned(~own & ~(1ULL << cell), cell)) return balance - 2 * turned - 1;
    return balance + (balance > 0 ? 1 : -1);
}

#if defined(__BMI2__)

// For a place on a line and the own cells of the line (the rest is the enemy's): how many are turned.
struct Counted {
    std::uint8_t of[8][256];
};
constexpr Counted make_counted() {
    Counted out{};
    for (int at = 0; at < 8; ++at)
        for (int own = 0; own < 256; ++own) {
            int turned = 0;
            for (const int step : {1, -1})
                for (int i = at + step, run = 0; i >= 0 && i < 8; i += step, ++run)
                    if (own >> i & 1) {
                        turned += run;
                        break;
                    }
            out.of[at][own] = static_cast<std::uint8_t>(turned);
        }
    return out;
}
inline constexpr Counted kCounted = make_counted();

// The two diagonals and the column through a cell, the cell with them, and at which place of each it is.
struct Through {
    Bits column, falling, rising;
    const std::uint8_t *row_counts, *column_counts, *falling_counts, *rising_counts;
};
constexpr std::array<Through, kCells> make_through() {
    std::array<Through, kCells> out{};
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        const Lines& lines = kLines[cell];
        const Bits self = 1ULL << cell;
        // lines: east, south-west, south, south-east, and their opposites
        const auto counts = [&](std::size_t d) { return kCounted.of[std::popcount(lines.down[d])]; };
        out[cell] = {lines.up[2] | lines.down[2] | self,
                     lines.up[3] | lines.down[3] | self,
                     lines.up[1] | lines.down[1] | self,
                     counts(0),
                     counts(2),
                     counts(3),
                     counts(1)};
    }
    return out;
}
inline constexpr std::array<Through, kCells> kThrough = make_through();

inline int count_turned(Bits own, int cell) {
    const Through& lines = kThrough[static_cast<std::size_t>(cell)];
    return lines.row_counts[own >> (cell & 56) & 255] + lines.column_counts[_pext_u64(own, lines.column)] +
           lines.falling_counts[_pext_u64(own, lines.falling)] + lines.rising_counts[_pext_u64(own, lines.rising)];
}

#else

inline int count_turned(Bits own, int cell) { return count(plain::flips(own, ~own & ~(1ULL << cell), cell)); }

#endif

// What a move turns; 0 when it may not be played.
inline Bits turned_by(Wide own, Wide enemy, int cell) {
    if (!(kBeside[static_cast<std::size_t>(cell)] & enemy.bits())) return 0;
    return flip_bits(own, enemy, cell);
}

inline int score_2(Wide own, Wide enemy, int alpha, int a, int b, std::uint64_t& nodes) {
    ++nodes;
    const Bits theirs = enemy.bits();
    int best = kNone;
    if (const Bits turned = turned_by(own, enemy, a)) {
        best = -score_1(theirs ^ turned, b);
        if (best > alpha) return best;
    }
    if (const Bits turned = turned_by(own, enemy, b)) return std::max(best, -score_1(theirs ^ turned, a));
    if (best != kNone) return best;
    const Bits mine = own.bits();
    int worst = -kNone;
    if (const Bits turned = turned_by(enemy, own, a)) {
        worst = score_1(mine ^ turned, b);
        if (worst <= alpha) return worst;
    }
    if (const Bits turned = turned_by(enemy, own, b)) return std::min(worst, score_1(mine ^ turned, a));
    if (worst != -kNone) return worst;
    const int balance = count(mine) - count(theirs);
    return balance + (balance > 0 ? 2 : balance < 0 ? -2 : 0);
}

// `odd`: the quarters with an odd number of empty cells.
template <bool kPassed = false>
int score_3(Wide own, Wide enemy, int alpha, Bits empty, Bits odd, std::uint64_t& nodes) {
    ++nodes;
    int best = kNone;
    for (Bits part : {empty & odd, empty & ~odd})
        for (; part; part &= part - 1) {
            const int cell = lowest(part);
            if (!(kBeside[static_cast<std::size_t>(cell)] & enemy.bits())) continue;
            const Wide turned = flips(own, enemy, cell);
            if (!turned.bits()) continue;
            const Bits self = part & -part, rest = empty ^ self;
            const int score = -score_2(without(enemy, turned), own | turned | Wide(self), -alpha - 1, lowest(rest),
                                       lowest(rest & (rest - 1)), nodes);
            if (score > best) {
                best = score;
                if (best > alpha) return best;
            }
        }
    if (best != kNone) return best;
    if constexpr (kPassed) {
        const int balance = count(enemy.bits()) - count(own.bits());  // both have passed
        return balance > 0 ? -balance - 3 : balance < 0 ? -balance + 3 : 0;
    } else {
        return -score_3<true>(enemy, own, -alpha - 1, empty, odd, nodes);
    }
}

// Cells that are the only empty ones of their quarter.
inline Bits alone(Bits empty) {
    Bits out = 0;
    for (const int corner : {0, 4, 32, 36}) {
        const Bits part = empty & kQuarters[static_cast<std::size_t>(corner)];
        if (!(part & (part - 1))) out |= part;
    }
    return out;
}

template <bool kPassed = false>
int score_4(Wide own, Wide enemy, int alpha, Bits empty, Bits odd, std::uint64_t& nodes) {
    ++nodes;
    int best = kNone;
    const Bits first = alone(empty);
    for (Bits part : {first, empty & ~first})
        for (; part; part &= part - 1) {
            const int cell = lowest(part);
            if (!(kBeside[static_cast<std::size_t>(cell)] & enemy.bits())) continue;
            const Wide turned = flips(own, enemy, cell);
            if (!turned.bits()) continue;
            const Bits self = part & -part;
            const int score = -score_3(without(enemy, turned), own | turned | Wide(self), -alpha - 1, empty ^ self,
                                       odd ^ kQuarters[static_cast<std::size_t>(cell)], nodes);
            if (score > best) {
                best = score;
                if (best > alpha) return best;
            }
        }
    if (best != kNone) return best;
    if constexpr (kPassed) {
        const int balance = count(enemy.bits()) - count(own.bits());
        return balance > 0 ? -balance - 4 : balance < 0 ? -balance + 4 : 0;
    } else {
        return -score_4<true>(enemy, own, -alpha - 1, empty, odd, nodes);
    }
}

}  // namespace tengen::reversi::last
