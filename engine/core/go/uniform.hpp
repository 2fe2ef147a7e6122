// The plainest evaluator: uniform playouts, no priors, no AMAF. With it the search is textbook UCT.
#pragma once

#include <span>

#include "core/concepts.hpp"
#include "core/go/playout.hpp"

namespace tengen::go {

// Adds +1 / -1 for every point that black / white owns after a playout.
template <int N>
void add_playout_ownership(const Board<N>& board, std::int32_t* ownership) {
    for (int row = 0; row < board.height(); ++row)
        for (int column = 0; column < board.width(); ++column) {
            const int p = Board<N>::point(row, column);
            int stone = board.stone(p);
            if (stone == kEmpty) {
                const unsigned low = board.neighbourhood(p) & 0xff, high_bits = low >> 1 & 0x55, low_bits = low & 0x55;
                const bool black = (low_bits & ~high_bits) != 0, white = (high_bits & ~low_bits) != 0;
                stone = black == white ? kEmpty : black ? kBlack : kWhite;
            }
            *ownership++ += (stone == kBlack) - (stone == kWhite);
        }
}

template <int N>
class UniformEvaluator {
public:
    static constexpr bool kUsesAmaf = false;
    UniformEvaluator() = default;
    template <class Settings>
    explicit UniformEvaluator(const Settings&) {}
    void priors(const State<N>&, std::span<const int> moves, Prior* out) const {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = {0, 0};
    }
    float evaluate(State<N>& state, Random& random, Trace&) const {
        return static_cast<float>(uniform_playout(state, random)) - state.komi();
    }
    void add_ownership(const State<N>& state, std::int32_t* ownership) const {
        add_playout_ownership(state.board(), ownership);
    }
};

}  // namespace tengen::go
