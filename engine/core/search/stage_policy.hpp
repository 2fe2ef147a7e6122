// Shares of time, playouts and memory between a search and its stage: figures alone, no clock.
//
// The search goes first, for a little, and orders the moves. Then the stage is asked, and once it is known who wins a
// timed search leaves it all that is left. What the stage leaves is the search's again.
#pragma once

#include <cstdint>

#include "core/search/bounds.hpp"
#include "core/search/stage.hpp"

namespace tengen::search {

inline constexpr double kStageMemoryShare = 0.25;  // at most

// The plan of one run of a search. Any of the bounds of the stage may be infinite.
struct StagePlan {
    bool asks = false;            // whether to ask the stage at all
    Bounds first;                 // of the search before that
    double seconds_to_prove = 0;  // of the run until it is known who wins
    double seconds = 0;           // of the run in all
    double work = 0;              // of the stage
    bool is_counted = false;      // playouts or visits bound the run

    // Whether the stage has to end, after so much of its work and so many seconds of the run.
    bool is_over(double work_done, double seconds_gone, bool is_proved) const;
    // Whether the search has nothing to add to the best that the stage found.
    bool is_enough(const Found& best) const;
};

// expected: about how much work the position takes, 0: it is not for the stage.
StagePlan plan_stage(const Bounds& bounds, double expected, const WorkRates& rates);

// The remaining bounds of a run after so many seconds and playouts.
Bounds rest_of(const Bounds& bounds, double seconds_gone, std::uint64_t playouts_done);

// About how many seconds a run has to have to get so much work answered; hard positions take four times as long.
double seconds_to_answer(double expected, const WorkRates& rates);

}  // namespace tengen::search
