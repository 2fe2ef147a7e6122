// The seconds of a move by Gomocup's INFO: a limit for each move, one for the match, the time left. The reserve follows
// from how late moves have been on this machine (engine/play/clock.py has the reasons for its numbers).
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace tengen::pbrain {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

inline double seconds_of(long long milliseconds) {
    constexpr long long kNoLimit = 2'147'483'647;
    return milliseconds >= kNoLimit ? kUnlimited : static_cast<double>(std::max(0LL, milliseconds)) / 1000;
}

struct Budget {
    double seconds;  // at most
    double plan;     // on the whole, as much as the move's difficulty lets it
};

class Clock {
public:
    double turn = kUnlimited, match = kUnlimited, left = kUnlimited, increment = 0;
    bool has_turn = false;

    // Of a move when so many are still to come on our side.
    Budget budget(double moves_left) const {
        if (has_turn && turn == 0) return {kAtOnce, kAtOnce};
        double most = std::isinf(turn) ? kUnlimited : turn - margin(turn, kUnseen);
        double plan = most;
        if (const double own = std::isinf(left) ? match : left; !std::isinf(own)) {
            const double usable = std::max(own - margin(own, 0.1), kLeast);
            const double share = usable / std::max(moves_left, kFewest) + increment;
            most = std::min(most, std::min(usable / 2, kHard * share));
            plan = std::min(plan, share);
        }
        if (std::isinf(most)) return {kUsual, kUsual};
        most = std::max(most, kLeast);
        return {most, std::clamp(plan, kLeast, most)};
    }

    // A move that should have taken `planned` seconds took `actual`.
    void observe(double planned, double actual) {
        late_.push_back(std::clamp(actual - planned, 0.0, 2.0));
        if (late_.size() > 10) late_.pop_front();
        if (!std::isinf(left)) left = std::max(0.0, left - actual + increment);
    }

private:
    static constexpr double kAtOnce = 0.02, kLeast = 0.001, kUsual = 5, kUnseen = 0.3, kFewest = 8, kHard = 4;

    double margin(double limit, double unseen) const {
        const double peak = *std::max_element(late_.begin(), late_.end());
        return std::min(std::max(2 * peak + 0.008, std::min(0.1, unseen * limit)), limit / 2);
    }

    std::deque<double> late_{0.005};
};

}  // namespace tengen::pbrain
