// A stage: something exact that a search asks about its root beside its own work, like who wins with best play.
//
// A stage has no clock, no evaluator and no tree. It is asked a question, tells what it finds as soon as it knows, and
// asks back whether it may go on. Whether it is asked at all, after what, and for how long is the policy of who asks
// (core/search/stage_policy.hpp, staged.hpp). What is exact at every node of a tree instead is asked through the
// evaluator: SolvingEvaluator and Adviser of core/concepts.hpp.
#pragma once

#include <concepts>
#include <functional>
#include <vector>

#include "core/search/report.hpp"
#include "core/search/root_facts.hpp"

namespace tengen::search {

// A certain result of one root move; for the side to move at the root.
struct Found {
    int move = -1;     // dense
    int result = 0;    // 1 won, 0 drawn, -1 lost
    double score = 0;  // in the game's unit, as `bound` says
    Bound bound = Bound::exact;
    int depth = 0;        // plies looked ahead
    std::vector<int> pv;  // dense moves of best play from the root on; empty: unknown beyond the move
};

struct Question {
    std::vector<int> moves;  // dense: those that the root may play, the most promising first
    bool best_alone;         // the other moves are of no interest once the best is exact
    // Asked back every few thousandths of a second with the work so far; true: return soon, tell nothing doubtful.
    std::function<bool(double work)> is_over;
    // Takes what was found. The first finding is of the move that decides who wins; a bound gives way to what comes
    // after it (core/search/findings.hpp).
    std::function<void(Found found)> tell;
};

// The speed of a stage, in its own unit of work.
struct WorkRates {
    double a_second;
    double a_playout;  // so much may be done for each playout that bounds the search: weak levels stay weak
};

// A stage of positions `Root`. One instance answers one question at a time; what it remembers may serve the next.
template <class T, class Root>
concept RootStage = std::constructible_from<T, double> &&  // takes so many megabytes at most, or its least
                    requires(T stage, const T view, const Root& root, const RootFacts& facts, const Question& question,
                             const typename T::Settings& settings) {
                        { T::kRates } -> std::convertible_to<WorkRates>;
                        { view.memory_mb() } -> std::convertible_to<double>;  // what it takes, always the same
                        // About how much work the position takes; 0: it is not for this stage.
                        { T::expected_work(root, facts, settings) } -> std::convertible_to<double>;
                        { stage.ask(root, question) };
                    };

}  // namespace tengen::search
