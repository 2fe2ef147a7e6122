// The record of a game of self-play, and the weight of each of its moves in training.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/selfplay/ending.hpp"

namespace tengen::selfplay {

inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// One move, and what its search found for the side to move.
struct Ply {
    int move = 0;          // dense
    bool is_full = false;  // it is learned from
    float win = kUnknown, draw = kUnknown, score = kUnknown;
    float surprise = 0;  // of a full search: KL divergence of the policy from the target
    float weight = 0;
    std::vector<std::pair<int, float>> target;  // of a full search: (dense move, share)
};

// Whether and when somebody would have resigned.
struct Resignation {
    int ply = -1;           // the first time, -1: never
    int player = -1;        // who
    bool plays_on = false;  // of a game that goes on in spite of it
};

struct Record {
    std::uint64_t number = 0, seed = 0;
    std::vector<Ply> plies;
    int first = 0;  // moves before it were an opening
    End end = End::kRules;
    float margin = 0;      // of player 0; infinite when the other resigned
    float outcome = 0.5f;  // of player 0: 1, 0.5, 0
    std::vector<std::int8_t> owners;
    Resignation resignation;
    std::uint64_t visits = 0;  // of all searches
};

inline double divergence(const std::vector<std::pair<int, float>>& target, const std::vector<double>& policy) {
    constexpr double kLeast = 1e-9;
    double sum = 0;
    for (std::size_t i = 0; i < target.size() && i < policy.size(); ++i)
        if (const double share = static_cast<double>(target[i].second); share > 0)
            sum += share * std::log(share / std::max(policy[i], kLeast));
    return std::max(0.0, sum);
}

// Each full search weighs 1 on average; a share of that goes by surprise.
inline void weigh(std::vector<Ply>& plies, double surprise_share) {
    double count = 0, total = 0;
    for (const Ply& ply : plies)
        if (ply.is_full) count += 1, total += static_cast<double>(ply.surprise);
    for (Ply& ply : plies) {
        if (!ply.is_full) continue;
        const double part = total > 0 ? count * static_cast<double>(ply.surprise) / total : 1;
        ply.weight = static_cast<float>(1 + surprise_share * (part - 1));
    }
}

}  // namespace tengen::selfplay
