// Drawing a move: shares sharpened or flattened by a temperature that falls during the game.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/random.hpp"
#include "core/selfplay/settings.hpp"

namespace tengen::selfplay {

// After so many moves on a board of so many cells.
inline double temperature_at(const PlaySettings& settings, int moves, int cells) {
    const double half_life = settings.half_life * std::sqrt(static_cast<double>(cells)) / 19;
    return settings.last_temperature +
           (settings.temperature - settings.last_temperature) * std::pow(0.5, moves / half_life);
}

// One of the indices, by share^(1 / temperature); the first of the largest where the temperature is too small to draw.
inline std::size_t draw(std::span<const double> shares, double temperature, Random& random) {
    const auto best = std::max_element(shares.begin(), shares.end());
    const auto most = static_cast<std::size_t>(best - shares.begin());
    if (temperature < 0.01 || shares.empty() || !(*best > 0)) return most;
    const auto weight = [&](double share) { return std::pow(share / *best, 1 / temperature); };
    double total = 0;
    for (const double share : shares) total += weight(share);
    double at = random.uniform() * total;
    for (std::size_t i = 0; i < shares.size(); ++i)
        if ((at -= weight(shares[i])) < 0) return i;
    return most;
}

// Draw the number of a game's moves that come from the raw policy.
inline int opening_moves(const PlaySettings& settings, int cells, Random& random) {
    const double mean = settings.opening_share * cells;
    return static_cast<int>(-mean * std::log(1 - random.uniform()));
}

}  // namespace tengen::selfplay
