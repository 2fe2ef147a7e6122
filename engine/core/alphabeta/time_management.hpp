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
    explicit Patience(const Tuning& tuning) : tuning_(tuning) {}

    // After each complete step: the best move, and all nodes so far.
    void see(const RootMove& best, std::uint64_t all) {
        steady_ = best.move == move_ ? std::min(steady_ + 1, kMostSteady) : 0;
        fall_ = move_ < 0 || is_decisive(score_) || is_decisive(best.score)
                    ? 0.0
                    : static_cast<double>(score_ - best.score) / static_cast<double>(tuning_.time_fall_unit);
        share_ = all ? static_cast<double>(best.nodes) / static_cast<double>(all) : kUnknownShare;
        move_ = best.move;
        score_ = (tuning_.time_memory * score_ + best.score) / (tuning_.time_memory + 1);
        if (is_first_) score_ = best.score;
        is_first_ = false;
    }
    // Times the plan, when no further step should begin.
    double factor() const {
        const Tuning& t = tuning_;
        const std::array<double, kMostSteady + 1> doubt{t.time_steady_0, t.time_steady_1, t.time_steady_2,
                                                        t.time_steady_3, t.time_steady_4};
        return t.time_scale * doubt[static_cast<std::size_t>(steady_)] *
               std::clamp(t.time_nodes_base - t.time_nodes_slope * share_, t.time_nodes_least, t.time_nodes_most) *
               std::clamp(1 + t.time_fall_slope * fall_, t.time_fall_least, t.time_fall_most);
    }

private:
    static constexpr int kMostSteady = 4;  // steps that are told apart
    static constexpr double kUnknownShare = 0.5;

    Tuning tuning_;
    int move_ = -1, steady_ = 0;
    Score score_ = 0;
    bool is_first_ = true;
    double share_ = kUnknownShare, fall_ = 0;  // of the nodes, by the best move; of the score, in the game's unit
};

}  // namespace tengen::alphabeta
