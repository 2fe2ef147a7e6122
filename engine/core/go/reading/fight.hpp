// A local fight: the points that decide whether one chain is captured, as a small graph, and a position on it.
//
// At most kNodes points are nodes of the graph, a bit each. The chain in question, the target, is one node. Everything
// outside is two more nodes: a wall of the attacker's stones and safe stones of the defender's, neither of which can be
// captured. An empty point on the rim of the region touches both. Sets of points are 64-bit masks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "core/go/regions.hpp"

namespace tengen::go::reading {

using Mask = std::uint64_t;

inline constexpr int kNodes = 62, kOutsideWall = 62, kSafe = 63, kTarget = 0, kNoKo = 64;
inline constexpr Mask bit(int node) { return Mask{1} << node; }
inline constexpr Mask kOutside = bit(kOutsideWall) | bit(kSafe);

enum class Side : std::uint8_t { kAttacker, kDefender };
inline constexpr Side other(Side side) { return side == Side::kAttacker ? Side::kDefender : Side::kAttacker; }

// Calls f(node) for each bit.
template <class F>
void for_each_bit(Mask mask, const F& f) {
    for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

// The stones on the graph, and the ko: a point that `ko_side` may not take at once.
struct Position {
    std::array<Mask, 2> stones{};  // by side, the outside among them
    std::uint8_t ko = kNoKo;
    Side ko_side = Side::kAttacker;

    Mask& of(Side side) { return stones[static_cast<std::size_t>(side)]; }
    Mask of(Side side) const { return stones[static_cast<std::size_t>(side)]; }
};

struct Fight {
    int size = 0;                        // nodes, the target among them
    std::array<Mask, 64> next{};         // neighbours of a node
    std::array<std::uint16_t, 64> cell;  // of a node on the board; of the target one of its stones
    std::array<std::array<std::uint64_t, 64>, 2> keys{};
    std::uint64_t salt = 0;  // of everything that is no stone
    int stones = 0;          // of the target
    int defender = 0;        // its colour
    int gaps = 0;            // empty points outside, beside the region, that are taken for the attacker's wall
    Position start;

    Mask all() const { return bit(size) - 1; }
    Mask empty(const Position& at) const { return all() & ~at.stones[0] & ~at.stones[1]; }
    Mask neighbours(Mask set) const {
        Mask out = 0;
        for_each_bit(set & ~kOutside, [&](int node) { out |= next[static_cast<std::size_t>(node)]; });
        return out & ~set;
    }
    // The connected part of `within` around `from`.
    Mask connected(Mask from, Mask within) const {
        Mask found = from, rim = from;
        while (rim & ~kOutside) {
            Mask more = 0;
            for_each_bit(rim & ~kOutside, [&](int node) { more |= next[static_cast<std::size_t>(node)]; });
            rim = more & within & ~found;
            found |= rim;
        }
        return found;
    }
    Mask target(const Position& at) const { return connected(bit(kTarget), at.of(Side::kDefender)); }
    Mask liberties(const Position& at, Mask chain) const { return neighbours(chain) & empty(at); }

    // Play at an empty node; false, and nothing is changed that counts, where the move is suicide.
    bool play(Position& at, int node, Side side) const;
    // Benson's unconditional life of the target, or its way out.
    bool lives(const Position& at) const;
    bool is_out(const Position& at) const { return (target(at) & bit(kSafe)) != 0; }
    std::uint64_t key(const Position& at) const;
};

// The fight about the chain at p, or nothing where the region is too open to be read.
template <int N>
std::optional<Fight> make_fight(const Board<N>& board, int p, const std::array<PointMap<N>, 2>& alive);

}  // namespace tengen::go::reading
