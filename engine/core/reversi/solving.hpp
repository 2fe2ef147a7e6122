// The weighted search with an exact solver before it: once the empty cells are few enough for the time there is, the
// game is solved from the root, first who wins, then by how many discs. Until then, and when the solver does not
// find a winner in its share, the tree decides.
#pragma once

#include <mutex>
#include <vector>

#include "core/reversi/family.hpp"
#include "core/reversi/solver.hpp"

namespace tengen::reversi {

class SolvingSearch final : public search::AnySearch<Family> {
public:
    SolvingSearch(const State& root, const mcts::Settings& settings, const WeightedSettings& evaluator);
    // About how long a search of a position with so many empty cells has to be to solve it; hard ones take four times
    // as long.
    static double seconds_to_solve(int empties);
    bool fits(const State& root) const override { return tree_.fits(root); }
    void configure(const mcts::Settings& settings, const WeightedSettings& evaluator) override;
    void run(const State& root, const search::RootFacts& facts, const search::Bounds& bounds,
             const search::StopToken& stop) override;
    search::Report report(int max_lines, bool ownership) const override;

private:
    struct Known {  // what the solver found of a root move; scores are for the side to move at the root
        int move;
        int result;  // 1 won, 0 drawn, -1 lost
        int score;   // discs: exact, or a bound that agrees with the result
        bool is_exact;
        std::vector<int> pv;
    };
    void solve(const State& root, std::vector<int> order, const search::Bounds& bounds);
    // The best move by the scores within (alpha, beta); the first of `order` is tried first. move -1: interrupted.
    Known best_of(const State& root, const std::vector<int>& order, int alpha, int beta);
    int score_after(const State& root, int move, int alpha, int beta);
    // Moves of best play from here on, for a score known to be exact.
    std::vector<int> best_line(State state, int move, int score);
    void publish(Known known);

    mcts::SearchOf<Family, State, WeightedEvaluator> tree_;
    Solver solver_;
    double root_empties_;
    bool is_proved_ = false;              // by the present run; its thread's own
    mutable std::mutex mutex_;            // of what follows
    std::vector<Known> known_;            // the best first
    int plies_ = 0;                       // to the end of the game, passes apart
    std::uint64_t earlier_playouts_ = 0;  // before the tree's last run
    double earlier_seconds_ = 0;
};

}  // namespace tengen::reversi
