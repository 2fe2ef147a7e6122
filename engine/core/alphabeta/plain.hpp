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
    static constexpr Tuning kTuning{.window = 100};

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
