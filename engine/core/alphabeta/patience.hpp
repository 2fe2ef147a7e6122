// How much of the planned time a position is worth: less while the same move stays best and takes most of the nodes, more
// where the best move changes or its score falls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/alphabeta/run.hpp"

namespace tengen::alphabeta {

class Patience {
public:
    // After each complete step: the best move, and all nodes so far.
    void see(const RootMove& best, std::uint64_t all, Score unit) {
        steady_ = best.move == move_ ? std::min(steady_ + 1, kMostSteady) : 0;
        fall_ = move_ < 0 || is_decisive(score_) || is_decisive(best.score)
                    ? 0.0
                    : static_cast<double>(score_ - best.score) / static_cast<double>(unit);
        share_ = all ? static_cast<double>(best.nodes) / static_cast<double>(all) : 0.5;
        move_ = best.move;
        score_ = (3 * score_ + best.score) / 4;
        if (is_first_) score_ = best.score;
        is_first_ = false;
    }
    // Times the plan, when no further step should begin.
    double factor() const {
        constexpr std::array<double, kMostSteady + 1> kDoubt{1.8, 1.3, 1.05, 0.9, 0.8};
        return 0.62 * kDoubt[static_cast<std::size_t>(steady_)] * std::clamp(1.9 - 1.5 * share_, 0.5, 1.6) *
               std::clamp(1 + 0.8 * fall_, 0.85, 1.6);
    }

private:
    static constexpr int kMostSteady = 4;

    int move_ = -1, steady_ = 0;
    Score score_ = 0;
    bool is_first_ = true;
    double share_ = 0.5, fall_ = 0;  // of the nodes, by the best move; of the score, in the game's unit
};

}  // namespace tengen::alphabeta
