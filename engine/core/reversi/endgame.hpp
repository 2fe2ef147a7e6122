// The end of a game as a stage that any search may ask: who wins, by how many discs, and what other moves are worth.
#pragma once

#include "core/reversi/solver.hpp"
#include "core/reversi/state.hpp"
#include "core/search/options.hpp"
#include "core/search/stage.hpp"

namespace tengen::reversi {

struct EndgameSettings {
    double root_empties = 24;
};

inline constexpr Option<EndgameSettings> kEndgameOptions[] = {
    {"root_empties", &EndgameSettings::root_empties, 0, 30, "positions with so few empty cells are solved first",
     Kind::whole},
};

// Its work is nodes of the solver. Points that were lent (RootFacts::komi_shift) are not for it: it knows the discs.
class EndgameStage {
public:
    using Settings = EndgameSettings;
    static constexpr search::WorkRates kRates{.a_second = 2e7, .a_playout = 32};

    explicit EndgameStage(double memory_mb) : table_bits_(table_bits(memory_mb)), solver_(table_bits_) {}
    double memory_mb() const { return Solver::table_mb(table_bits_); }
    static double expected_work(const State& root, const search::RootFacts& facts, const EndgameSettings& settings);
    // First who wins, then by how many discs; then the other moves, as long as that costs at most twice as much.
    void ask(const State& root, const search::Question& question);

private:
    struct Best {
        int move, score;  // move -1: interrupted
    };
    static int table_bits(double memory_mb);
    void answer(const State& root, const search::Question& question);
    void tell_others(const State& root, const std::vector<int>& order, Best best, const search::Question& question);
    // The best move by the scores within (alpha, beta); the first of `order` is tried first.
    Best best_of(const State& root, const std::vector<int>& order, int alpha, int beta);
    int score_after(const State& root, int move, int alpha, int beta);
    // For scores known to be exact.
    search::Found exact(const State& root, int move, int score);
    std::vector<int> best_line(State state, int move, int score);

    int table_bits_;
    Solver solver_;
};

static_assert(search::RootStage<EndgameStage, State>);

}  // namespace tengen::reversi
