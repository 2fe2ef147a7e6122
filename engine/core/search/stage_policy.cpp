#include "core/search/stage_policy.hpp"

#include <algorithm>
#include <limits>

namespace tengen::search {
namespace {

constexpr double kFirstShare = 0.1;       // of the time at most goes to the search first: it orders the moves
constexpr double kOrderShare = 0.25;      // of the expected time of the stage, too: more orders no better
constexpr double kStageShare = 0.6;       // of the time at most to the stage until it is known who wins
constexpr double kUnboundedSeconds = 60;  // to the stage where neither time nor playouts bound the search
constexpr double kPatience = 2;           // it is asked for so many times the work that it may do
constexpr double kLeastSeconds = 0.002, kLeastPlayouts = 200;  // to order the moves by
constexpr double kNoBound = std::numeric_limits<double>::infinity();

std::uint64_t counted(const Bounds& bounds) { return std::max(bounds.playouts, bounds.visits); }

// The bounds of the search that orders the moves; wall time counts only where it bounds the whole run.
Bounds first_part(Bounds bounds, double expected, const WorkRates& rates) {
    const double seconds = std::max(kLeastSeconds, kOrderShare * expected / rates.a_second);
    const double playouts = std::max(kLeastPlayouts, kOrderShare * expected / rates.a_playout);
    const std::uint64_t whole = counted(bounds);
    if (whole) bounds.playouts = std::min((whole + 3) / 4, static_cast<std::uint64_t>(playouts));
    if (bounds.seconds > 0)
        bounds.seconds = std::min(kFirstShare * bounds.seconds, seconds);
    else if (!whole)
        bounds.seconds = seconds;
    return bounds;
}

// The work that the stage may do until the winner is known.
double work_within(const Bounds& bounds, const WorkRates& rates) {
    double work = rates.a_second * kUnboundedSeconds;
    if (bounds.seconds > 0)
        work = rates.a_second * kStageShare * bounds.seconds;
    else if (counted(bounds))
        work = kNoBound;
    for (const std::uint64_t playouts : {bounds.playouts, bounds.visits})
        if (playouts) work = std::min(work, rates.a_playout * static_cast<double>(playouts));
    return work;
}

}  // namespace

StagePlan plan_stage(const Bounds& bounds, double expected, const WorkRates& rates) {
    const double work = work_within(bounds, rates);
    if (expected <= 0 || expected > kPatience * work) return {};
    StagePlan plan;
    plan.asks = true;
    plan.is_counted = counted(bounds) > 0;
    plan.first = first_part(bounds, expected, rates);
    plan.seconds = bounds.seconds > 0 ? bounds.seconds : kNoBound;
    plan.seconds_to_prove =
        bounds.seconds > 0 || plan.is_counted ? (kFirstShare + kStageShare) * plan.seconds : kUnboundedSeconds;
    plan.work = plan.is_counted ? work : kNoBound;
    return plan;
}

bool StagePlan::is_over(double work_done, double seconds_gone, bool is_proved) const {
    return seconds_gone > (is_proved ? seconds : seconds_to_prove) || work_done > work;
}

// Playouts that are left go on where the score is open: a count is there to be used up, time is not.
bool StagePlan::is_enough(const Found& best) const { return !is_counted || best.bound == Bound::exact; }

Bounds rest_of(const Bounds& bounds, double seconds_gone, std::uint64_t playouts_done) {
    Bounds rest = bounds;
    if (rest.seconds > 0) rest.seconds = std::max(1e-4, rest.seconds - seconds_gone);
    if (rest.playouts) rest.playouts = rest.playouts > playouts_done ? rest.playouts - playouts_done : 1;
    return rest;
}

double seconds_to_answer(double expected, const WorkRates& rates) { return expected / rates.a_second / kStageShare; }

}  // namespace tengen::search
