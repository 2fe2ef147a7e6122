// The plainest evaluator: uniform playouts, no priors, no AMAF. With it the search is textbook UCT.
#pragma once

#include <span>

#include "core/concepts.hpp"
#include "core/reversi/playout.hpp"
#include "core/reversi/state.hpp"

namespace tengen::reversi {

// Adds +1 / -1 for every cell that black / white holds.
inline void add_disc_ownership(const State& state, std::int32_t* ownership) {
    for (int cell = 0; cell < kCells; ++cell)
        ownership[cell] += static_cast<int>(state.discs(0) >> cell & 1) - static_cast<int>(state.discs(1) >> cell & 1);
}

// Replace the state by the end of its game.
inline void finish(State& state, const Ending& ending) {
    state = state.to_move() ? State(ending.enemy, ending.own, 0) : State(ending.own, ending.enemy, 0);
}

class UniformEvaluator {
public:
    static constexpr bool kUsesAmaf = false;
    UniformEvaluator() = default;
    template <class Settings>
    explicit UniformEvaluator(const Settings&) {}
    void priors(const State&, std::span<const int> moves, Prior* out) const {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = {0, 0};
    }
    float evaluate(State& state, Random& random, Trace&) const {
        finish(state, uniform_playout(state.own(), state.enemy(), random));
        return state.margin();
    }
    void add_ownership(const State& state, std::int32_t* ownership) const { add_disc_ownership(state, ownership); }
};

static_assert(LeafEvaluator<UniformEvaluator, State>);

}  // namespace tengen::reversi
