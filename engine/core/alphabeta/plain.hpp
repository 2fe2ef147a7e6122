// Any game of core/concepts.hpp as a position of alpha-beta: it copies what it plays on, and knows nothing but the end.
#pragma once

#include <cstdint>

#include "core/alphabeta/family.hpp"
#include "core/concepts.hpp"

namespace tengen::alphabeta {

template <GameState S>
class Plain {
public:
    using Undo = S;
    struct Settings {
        bool operator==(const Settings&) const = default;
    };
    static constexpr int kMoveBound = S::kMoveBound, kMaxMoves = S::kMaxMoves;
    static constexpr bool kRepetitionForbidden = !DrawsByRepetition<S>;
    static constexpr Tuning kTuning{.window = 100,
                                    .window_depth = 4,
                                    .window_growth = 3,
                                    .table_depth = 1,
                                    .table_keep = 2,
                                    .table_age = 8,
                                    .killer_first = 49152,
                                    .killer_second = 32768,
                                    .counter_move = 16384,
                                    .history_bonus = 16,
                                    .history_most = 2048,
                                    .time_soft = 0.6,
                                    .time_scale = 0.62,
                                    .time_steady_0 = 1.8,
                                    .time_steady_1 = 1.3,
                                    .time_steady_2 = 1.05,
                                    .time_steady_3 = 0.9,
                                    .time_steady_4 = 0.8,
                                    .time_nodes_base = 1.9,
                                    .time_nodes_slope = 1.5,
                                    .time_nodes_least = 0.5,
                                    .time_nodes_most = 1.6,
                                    .time_fall_slope = 0.8,
                                    .time_fall_unit = 100,
                                    .time_fall_least = 0.85,
                                    .time_fall_most = 1.6,
                                    .time_memory = 3};

    Plain(const S& root, const Settings&) : state_(root) {}

    int to_move() const { return state_.to_move(); }
    int moves(int* out) const { return state_.candidate_moves(out); }
    bool is_terminal() const { return state_.is_terminal(); }
    int result() const {
        const float margin = state_.margin(), own = state_.to_move() ? -margin : margin;
        return (own > 0) - (own < 0);
    }
    std::uint64_t key() const { return state_.state_key(); }
    int evaluate() const { return 0; }
    static double win_rate(Score) { return 0.5; }
    static double score_shown(Score score) { return score > 0 ? 1 : score < 0 ? -1 : 0; }
    void play(int move, Undo& undo) {
        undo = state_;
        state_.play(move);
    }
    void undo(int, const Undo& undo) { state_ = undo; }
    int to_dense(int move) const { return state_.to_dense(move); }

    bool may_repeat(int move) const { return state_.may_repeat(move); }
    std::uint64_t repetition_key() const { return state_.repetition_key(); }
    std::uint64_t repetition_key_after(int move) const { return state_.repetition_key_after(move); }

private:
    S state_;
};

template <GameState S>
struct ByEnd {
    static constexpr EvaluatorFacts kFacts{"end", "nothing but who has won"};
    using Position = Plain<S>;
};

// Its search, as core/search/native.hpp asks.
template <GameState S>
using PlainFamily = Family<S, typename Plain<S>::Settings, ByEnd<S>>;

}  // namespace tengen::alphabeta
