// Facts about the root that a search needs besides its position.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tengen::search {

struct RootFacts {
    std::vector<std::uint64_t> seen;  // repetition keys of the game, one for each time a position was there
    std::vector<int> recent;          // dense moves, newest last
    std::vector<int> allow, avoid;    // dense moves; empty: no restriction
    float komi_shift = 0;             // added to player 0's margin
    std::array<std::vector<int>, 2>
        until;  // by player and dense move: not before this ply of the search; empty: none is held back

    // Whether any move of a player's is held back.
    bool is_held_back(int player) const { return !until[static_cast<std::size_t>(player)].empty(); }

    // Whether a player may not play this dense move so many plies below the root.
    bool holds_back(int player, int dense, int depth) const {
        const std::vector<int>& plies = until[static_cast<std::size_t>(player)];
        return !plies.empty() && depth < plies[static_cast<std::size_t>(dense)];
    }

    // Whether all but few of a player's moves are held back so many plies below the root: then the others were named.
    bool holds_most_back(int player, int depth) const {
        const std::vector<int>& plies = until[static_cast<std::size_t>(player)];
        const auto held = std::count_if(plies.begin(), plies.end(), [depth](int ply) { return depth < ply; });
        return 2 * held > std::ssize(plies);
    }

    // Whether the root may play this dense move.
    bool permits(int dense) const {
        const auto has = [dense](const std::vector<int>& list) {
            return std::find(list.begin(), list.end(), dense) != list.end();
        };
        return !has(avoid) && (allow.empty() || has(allow));
    }

    // Count how often the game was at a position. `seen` is sorted.
    std::size_t times(std::uint64_t key) const {
        const auto [first, last] = std::equal_range(seen.begin(), seen.end(), key);
        return static_cast<std::size_t>(last - first);
    }
};

}  // namespace tengen::search
