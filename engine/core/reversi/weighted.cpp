#include "core/reversi/weighted.hpp"

#include <algorithm>
#include <cmath>

namespace tengen::reversi {
namespace {

// The corner next to each X square, as bits of the same order: a1 for b2, and so on.
Bits corners_near(Bits x_squares) {
    return ((x_squares & 1ULL << 9) >> 9) | ((x_squares & 1ULL << 14) >> 7) | ((x_squares & 1ULL << 49) << 7) |
           ((x_squares & 1ULL << 54) << 9);
}

}  // namespace

CellWeights::CellWeights(const WeightedSettings& settings) {
    const double weights[kClasses] = {settings.other_weight, settings.edge_weight,
                                      settings.edge_weight * settings.c_weight, settings.x_weight,
                                      settings.corner_weight};
    for (std::size_t i = 0; i < kClasses; ++i) weights_[i] = static_cast<std::uint32_t>(std::lround(1024 * weights[i]));
}

void WeightedEvaluator::priors(const State& state, std::span<const int> moves, Prior* out) const {
    const Bits own = state.own(), enemy = state.enemy();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        double value = 0.5;
        if (const int move = moves[i]; settings_.prior_visits > 0 && move != State::kPass) {
            const Bits cell = 1ULL << move, turned = flips(own, enemy, move);
            const Bits mine = own | turned | cell, theirs = enemy & ~turned, empty = ~(mine | theirs);
            const Bits replies = reversi::moves(theirs, mine);
            value += settings_.prior_replies * (7.0 - count(replies));
            value += settings_.prior_frontier * (6.0 - count_contacts(turned, empty));
            if (cell & kCorners) value += settings_.prior_corner;
            if (replies & kCorners) value -= settings_.prior_gift;
            if (corners_near(cell & kXSquares) & empty) value -= settings_.prior_x;
            value = std::clamp(value, 0.02, 0.98);
        }
        out[i] = {static_cast<float>(value * settings_.prior_visits), static_cast<float>(settings_.prior_visits)};
    }
}

float WeightedEvaluator::evaluate(State& state, Random& random, Trace&) const {
    if (settings_.judge_share >= 1) return kSide * kSide / 2 * (2 * judge(state).win - 1);
    finish(state, play_out(state.own(), state.enemy(), [&](Bits can) { return weights_.draw(can, random); }));
    return state.margin();
}

Judgement WeightedEvaluator::judge(const State& state) const {
    const Bits own = state.own(), enemy = state.enemy(), empty = state.empty();
    const Bits can = state.moves(), replies = reversi::moves(enemy, own);
    const double empties = count(empty), late = std::clamp((44 - empties) / 28, 0.0, 1.0);
    const auto difference = [](Bits a, Bits b) { return static_cast<double>(count(a) - count(b)); };
    const auto next_to_empty = [empty](Bits x) {
        return static_cast<double>(count(corners_near(x & kXSquares) & empty));
    };
    double sum = -0.13 - 0.13 * late;
    sum += settings_.judge_mobility * (0.02 + 0.11 * late) * difference(can, replies);
    sum += settings_.judge_frontier * 0.037 * (count_contacts(enemy, empty) - count_contacts(own, empty));
    sum += settings_.judge_corner * late *
           (0.6 * difference(own & kCorners, enemy & kCorners) + 0.35 * difference(can & kCorners, replies & kCorners));
    sum -= settings_.judge_x * (0.1 + 0.17 * late) * (next_to_empty(own) - next_to_empty(enemy));
    const double win = 1 / (1 + std::exp(-settings_.judge_scale * sum));
    return {static_cast<float>(state.to_move() ? 1 - win : win), static_cast<float>(settings_.judge_share)};
}

bool WeightedEvaluator::solve(const State& state, float& margin) {
    if (count(state.empty()) > settings_.leaf_empties) return false;
    const int score = solver_.solve(state.own(), state.enemy(), -1, 1);
    margin = static_cast<float>(state.to_move() ? -score : score);
    return true;
}

}  // namespace tengen::reversi
