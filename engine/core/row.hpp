// One position of a game as a network learns from it: the game played to a ply, and what an encoder makes of that.
//
// Moves are checked by State::is_legal; whether an earlier one repeated a position is not looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/features.hpp"

namespace tengen {

struct RowAsked {
    std::span<const std::int16_t> moves;  // dense, of the sides in turn from the start on; `ply` of them or more
    int ply = 0;                          // how many of them were played
    int symmetry = 0;
    bool has_history = true;  // false: nobody told of earlier moves, as with a board on a photo; what they forbid stays
};

// A game that is played until a row is reached, and as much of its past as a set encodes.
template <GameState S>
class RowMaker {
public:
    RowMaker(const S& start, const RowAsked& asked, const FeatureSet& set) : state_(start), asked_(asked), set_(set) {
        earlier_.reserve(static_cast<std::size_t>(set.earlier));
    }

    // The number of the first illegal move, from 0; -1: all were played and `encode(state, past)` was called.
    template <class Encode>
    int make(const Encode& encode) {
        for (int i = 0; i < asked_.ply; ++i)
            if (!play(asked_.moves[static_cast<std::size_t>(i)], asked_.ply - i)) return i;
        std::vector<const S*> earlier;
        for (const S& state : earlier_) earlier.push_back(&state);
        const std::vector<int> banned = find_banned();
        encode(state_, Past<S>{recent_, banned, earlier});
        return -1;
    }

private:
    // `left`: moves from this one on to the row.
    bool play(int dense, int left) {
        if (dense < 0 || dense >= state_.move_bound()) return false;
        const int move = state_.from_dense(dense);
        if (!state_.is_legal(move)) return false;
        if (forbids_repetition(state_)) seen_.push_back(state_.repetition_key());
        if (asked_.has_history && left <= set_.earlier) earlier_.push_back(state_);
        if (asked_.has_history && left <= set_.recent) recent_.push_back(move);
        state_.play(move);
        return true;
    }

    // Native moves that only an earlier position forbids the mover.
    std::vector<int> find_banned() {
        std::vector<int> out;
        if (!forbids_repetition(state_)) return out;
        seen_.push_back(state_.repetition_key());
        std::sort(seen_.begin(), seen_.end());
        for (int dense = 0; dense < state_.move_bound(); ++dense) {
            const int move = state_.from_dense(dense);
            if (move != S::kPassMove && state_.is_legal(move) && state_.may_repeat(move) &&
                std::binary_search(seen_.begin(), seen_.end(), state_.repetition_key_after(move)))
                out.push_back(move);
        }
        return out;
    }

    S state_;
    const RowAsked& asked_;
    const FeatureSet& set_;
    std::vector<std::uint64_t> seen_;  // repetition keys of all positions so far, where the rules count them
    std::vector<S> earlier_;           // newest last
    std::vector<int> recent_;          // native moves, newest last
};

// A row of the set F; -1, or the number of the first illegal move.
template <class F, GameState S>
int make_row(S start, const RowAsked& asked, const typename FactsOf<F>::type& facts, float* planes, float* globals) {
    if constexpr (requires { F::prepare(start, facts); }) F::prepare(start, facts);
    return RowMaker<S>(start, asked, F::set()).make([&](const S& state, const Past<S>& past) {
        if constexpr (requires { typename F::Facts; })
            F::encode(state, past, asked.symmetry, planes, globals, F::below(facts, asked.ply));
        else
            F::encode(state, past, asked.symmetry, planes, globals);
    });
}

}  // namespace tengen
