// Time management: how much of the planned time a move takes. Less while the same move stays best and takes most of the
// nodes, more where the best move changes or its score falls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/alphabeta/run.hpp"

namespace tengen::alphabeta {

class TimeManager {
public:
    explicit TimeManager(const Tuning& tuning) : tuning_(tuning) {}

    // After each complete step: the best move, and all nodes so far.
    void update(const RootMove& best, std::uint64_t all) {
        stability_ = best.move == move_ ? std::min(stability_ + 1, kMostStability) : 0;
        fall_ = move_ < 0 || is_decisive(score_) || is_decisive(best.score)
                    ? 0.0
                    : static_cast<double>(score_ - best.score) / static_cast<double>(tuning_.time_fall_unit);
        share_ = all ? static_cast<double>(best.nodes) / static_cast<double>(all) : kUnknownShare;
        move_ = best.move;
        score_ = (tuning_.time_memory * score_ + best.score) / (tuning_.time_memory + 1);
        if (is_first_) score_ = best.score;
        is_first_ = false;
    }
    // Seconds of a move after which no further step begins.
    double seconds(const search::Bounds& bounds) const {
        return bounds.plan > 0 ? factor() * bounds.plan : tuning_.time_soft * bounds.seconds;
    }

private:
    // Of the plan.
    double factor() const {
        const Tuning& t = tuning_;
        const std::array<double, kMostStability + 1> stability{t.time_steady_0, t.time_steady_1, t.time_steady_2,
                                                               t.time_steady_3, t.time_steady_4};
        return t.time_scale * stability[static_cast<std::size_t>(stability_)] *
               std::clamp(t.time_nodes_base - t.time_nodes_slope * share_, t.time_nodes_least, t.time_nodes_most) *
               std::clamp(1 + t.time_fall_slope * fall_, t.time_fall_least, t.time_fall_most);
    }

    static constexpr int kMostStability = 4;  // steps that are told apart
    static constexpr double kUnknownShare = 0.5;

    Tuning tuning_;
    int move_ = -1, stability_ = 0;
    Score score_ = 0;
    bool is_first_ = true;
    double share_ = kUnknownShare, fall_ = 0;  // of the nodes, by the best move; of the score, in the game's unit
};

}  // namespace tengen::alphabeta
