// The plainest evaluator: uniform playouts, no priors, no AMAF. With it the search is textbook UCT.
#pragma once

#include <span>

#include "core/concepts.hpp"
#include "core/gomoku/state.hpp"

namespace tengen::gomoku {

// Two bounded draws from every 64-bit number.
class Draw {
public:
    explicit Draw(Random& random) : random_(random) {}
    std::uint32_t below(std::uint32_t bound) {
        if (has_half_) {
            has_half_ = false;
            return static_cast<std::uint32_t>((half_ * bound) >> 32);
        }
        const std::uint64_t both = random_.next();
        half_ = both >> 32;
        has_half_ = true;
        return static_cast<std::uint32_t>(((both & 0xffffffffu) * bound) >> 32);
    }

private:
    Random& random_;
    std::uint64_t half_ = 0;
    bool has_half_ = false;
};

// The empty cells as a list from which any entry can be taken at once; order does not matter.
template <int N>
class Empties {
public:
    explicit Empties(const State<N>& state) {
        any_empty(state, [this](int cell) {
            cells_[static_cast<std::size_t>(size_++)] = static_cast<Cell>(cell);
            return false;
        });
    }
    int size() const { return size_; }
    int at(std::uint32_t i) const { return cells_[i]; }
    void take(std::uint32_t i) { cells_[i] = cells_[static_cast<std::size_t>(--size_)]; }

private:
    using Cell = std::conditional_t<N <= 15, std::uint8_t, std::uint16_t>;
    int size_ = 0;
    std::array<Cell, N * N> cells_;
};

// Play uniformly chosen legal moves to the end; keys are not kept. kBlack, kWhite: what is a five for either side.
template <LineRule kBlack, LineRule kWhite, int N>
void uniform_playout_of(State<N>& state, Empties<N> empties, Random& random) {
    auto& lanes = state.lanes();
    Draw draw(random);
    int colour = state.to_move(), stones = state.stones();
    int passed = 0;  // cells at hand that are forbidden to black
    while (empties.size() > passed) {
        const std::uint32_t i = draw.below(static_cast<std::uint32_t>(empties.size()));
        const int cell = empties.at(i);
        if constexpr (kBlack == LineRule::kRenjuBlack) {
            if (colour == 0 && state.foul(cell) != Foul::kNone) {
                if (++passed < 8) continue;  // seldom; then look whether there is any
                passed = 0;
                state.finish(-1, stones, colour);
                if (state.is_terminal()) return;
                continue;
            }
            passed = 0;
        }
        empties.take(i);
        const auto mine = lanes.put_through(cell, colour);
        ++stones;
        bool won;
        if constexpr (kBlack == LineRule::kCaro || kBlack == LineRule::kExactCaro)
            won = has_five<kBlack>(mine, lanes.through(cell, colour ^ 1));
        else
            won = colour == 0 ? has_five<kBlack>(mine, mine) : has_five<kWhite>(mine, mine);
        colour ^= 1;
        if (won) return state.finish(colour ^ 1, stones, colour);
    }
    state.finish(-1, stones, colour);
}

template <int N>
void uniform_playout(State<N>& state, const Empties<N>& empties, Random& random) {
    with_line_rule(state.line_rule(0), [&](auto rule) {
        constexpr LineRule kBlack = rule();
        constexpr LineRule kWhite = kBlack == LineRule::kRenjuBlack ? LineRule::kFiveOrMore : kBlack;
        uniform_playout_of<kBlack, kWhite>(state, empties, random);
    });
}

// Adds +1 / -1 for every black / white stone.
template <int N>
void add_stones(const State<N>& state, std::int32_t* ownership) {
    for (int dense = 0, row = 0; row < state.height(); ++row) {
        const int begin = state.from_dense(dense);
        for (int column = 0; column < state.width(); ++column, ++dense) {
            const int stone = state.stone(begin + column);
            ownership[dense] += (stone == 1) - (stone == 2);
        }
    }
}

template <int N>
class UniformEvaluator {
public:
    static constexpr bool kUsesAmaf = false;
    template <class Settings>
    explicit UniformEvaluator(const Settings&) {}
    void priors(const State<N>&, std::span<const int> moves, Prior* out) const {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = {0, 0};
    }
    float evaluate(State<N>& state, Random& random, Trace&) const {
        uniform_playout(state, Empties<N>(state), random);
        return state.margin();
    }
    void add_ownership(const State<N>& state, std::int32_t* ownership) const { add_stones(state, ownership); }
};

}  // namespace tengen::gomoku
