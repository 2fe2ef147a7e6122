// Gumbel at the root: the visits of each move, and the policy that their search implies (Danihelka et al. 2022, "Policy
// improvement by planning with Gumbel"): a few moves drawn by Gumbel noise, halved after each
// round by their value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tengen::mcts {

// A move of the root: its logit, its noise, its visits (those in flight, too, in `started`), what it wins, 0..1.
struct GumbelMove {
    double logit = 0, gumbel = 0;
    std::uint32_t visits = 0, started = 0;
    double value = 0;
};

// The visits that the move of simulation i has, for so many moves considered.
inline std::vector<std::uint32_t> halving_order(std::uint32_t considered, std::uint32_t simulations) {
    std::vector<std::uint32_t> order, visits(std::max(considered, 1u), 0);
    const double rounds = std::max(1.0, std::ceil(std::log2(static_cast<double>(visits.size()))));
    for (std::size_t left = visits.size(); order.size() < simulations;) {
        const auto each = std::max(1u, static_cast<std::uint32_t>(simulations / (rounds * static_cast<double>(left))));
        for (std::uint32_t n = 0; n < each; ++n)
            for (std::size_t i = 0; i < left; ++i) order.push_back(visits[i]++);
        left = std::max<std::size_t>(left / 2, std::min<std::size_t>(2, visits.size()));
    }
    order.resize(simulations);
    return order;
}

inline std::vector<double> softmax(std::vector<double> logits) {
    double most = -1e300, total = 0;
    for (const double one : logits) most = std::max(most, one);
    for (double& one : logits) total += one = std::exp(one - most);
    for (double& one : logits) one /= total;
    return logits;
}

// The value of each move, in logits: by its visits, or where it has none by all that is known of the position, whose
// own value is `value`.
inline std::vector<double> completed(const std::vector<GumbelMove>& moves, double value, double c_visit,
                                     double c_scale) {
    std::vector<double> logits;
    std::uint32_t most = 0;
    double visits = 0, mass = 0, worth = 0;
    for (const GumbelMove& move : moves) logits.push_back(move.logit);
    const std::vector<double> policy = softmax(logits);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        most = std::max(most, moves[i].visits);
        visits += moves[i].visits;
        if (moves[i].visits == 0) continue;
        mass += policy[i];
        worth += policy[i] * moves[i].value;
    }
    const double mixed = mass > 0 ? (value + visits * worth / mass) / (1 + visits) : value;
    std::vector<double> out;
    for (const GumbelMove& move : moves) out.push_back((c_visit + most) * c_scale * (move.visits ? move.value : mixed));
    return out;
}

// The improved policy.
inline std::vector<double> improved_policy(const std::vector<GumbelMove>& moves, double value, double c_visit,
                                           double c_scale) {
    std::vector<double> logits = completed(moves, value, c_visit, c_scale);
    for (std::size_t i = 0; i < moves.size(); ++i) logits[i] += moves[i].logit;
    return softmax(logits);
}

// The best move, by noise, logit and value together, among those that were started so often; -1: none.
inline int best_of(const std::vector<GumbelMove>& moves, std::uint32_t started, double value, double c_visit,
                   double c_scale) {
    const std::vector<double> worth = completed(moves, value, c_visit, c_scale);
    int best = -1;
    double most = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const double score = moves[i].gumbel + moves[i].logit + worth[i];
        if (moves[i].started != started || (best >= 0 && score <= most)) continue;
        best = static_cast<int>(i);
        most = score;
    }
    return best;
}

}  // namespace tengen::mcts
