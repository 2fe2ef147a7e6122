// What a search must know of the root that its position does not say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tengen::search {

struct RootFacts {
    std::vector<std::uint64_t> seen;  // repetition keys of the game, one for each time a position was there
    std::vector<int> recent;          // dense moves, newest last
    std::vector<int> allow, avoid;    // dense moves; empty: no restriction
    float komi_shift = 0;             // added to player 0's margin
    std::vector<int> until[2];        // by player and dense move: not before this ply of the search; empty: none is held back

    // Whether a player may not play this dense move so many plies below the root.
    bool holds_back(int player, int dense, int depth) const {
        const std::vector<int>& plies = until[player];
        return !plies.empty() && depth < plies[static_cast<std::size_t>(dense)];
    }

    // Whether the root may play this dense move.
    bool permits(int dense) const {
        const auto has = [dense](const std::vector<int>& list) {
            return std::find(list.begin(), list.end(), dense) != list.end();
        };
        return !has(avoid) && (allow.empty() || has(allow));
    }

    // How often the game was at a position. `seen` is sorted.
    std::size_t times(std::uint64_t key) const {
        const auto [first, last] = std::equal_range(seen.begin(), seen.end(), key);
        return static_cast<std::size_t>(last - first);
    }
};

}  // namespace tengen::search
