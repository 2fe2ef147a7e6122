// Backup: update the nodes on a simulation's path with its value, AMAF statistics and proofs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/arena.hpp"
#include "core/mcts/bias.hpp"

namespace tengen::mcts {

// The end of a simulation.
struct Outcome {
    float margin = 0;           // + = player 0 ahead
    float draw = 0;             // share of draws, 0..1
    Judgement judgement{0, 0};  // blended with the result
    float weight = 1;           // against other results, where nodes have a Spread
    float final_score = 0;  // expected, + = player 0 ahead; with its square, which is less than 0 where it is unknown
    float final_square = -1;
    bool is_said = false;        // by an evaluator, of the leaf itself
    std::uint64_t locality = 0;  // of the leaf, for its evaluator's errors; 0: they are not looked at
};

// Value of a margin for player 0, in 0..1: the result, with a share of `margin_weight` for how large it is on a board
// of so many cells.
template <class E>
double value_of(float margin, double margin_weight, int cells) {
    if constexpr (ValueEvaluator<E>) return 0.5 + 0.5 * std::clamp(static_cast<double>(margin), -1.0, 1.0);
    const double result = margin > 0 ? 1.0 : margin < 0 ? 0.0 : 0.5;
    const double scale = 0.5 * static_cast<double>(cells);
    const double share = 0.5 + 0.5 * std::clamp(static_cast<double>(margin) / scale, -1.0, 1.0);
    return result + margin_weight * (share - result);
}

// Count a result of a visit that was in flight; `value` is for the player who moved into the node. `alone`: see `add`.
inline void count(Node& node, double value, const Outcome& outcome, bool alone) {
    add(node.value, static_cast<std::int64_t>(value * Node::kUnit), alone);
    add(node.visits, 1u, alone);
    add(node.in_flight, static_cast<std::uint16_t>(-1), alone);
    const float n = static_cast<float>(node.visits.load(std::memory_order_relaxed));
    const auto average = [n](std::atomic<float>& mean, float x) {
        const float old = mean.load(std::memory_order_relaxed);
        mean.store(old + (x - old) / n, std::memory_order_relaxed);
    };
    average(node.margin, outcome.margin);
    average(node.draw, outcome.draw);
}

// The same where results weigh differently: all means are weighted ones.
inline void count(Node& node, Spread* spread, double value, const Outcome& outcome, bool alone) {
    const float before = spread ? spread->weight.load(std::memory_order_relaxed) : 0;
    if (spread) {
        const float square = spread->square.load(std::memory_order_relaxed),
                    step = outcome.weight / (before + outcome.weight);
        spread->weight.store(before + outcome.weight, std::memory_order_relaxed);
        spread->square.store(square + (static_cast<float>(value * value) - square) * step, std::memory_order_relaxed);
        const float leads = spread->margin_square.load(std::memory_order_relaxed);
        spread->margin_square.store(leads + (outcome.margin * outcome.margin - leads) * step,
                                    std::memory_order_relaxed);
        if (outcome.final_square >= 0) {
            const float known = std::max(0.0f, spread->final_square.load(std::memory_order_relaxed));
            const float score = spread->final_score.load(std::memory_order_relaxed);
            spread->final_square.store(known + (outcome.final_square - known) * step, std::memory_order_relaxed);
            spread->final_score.store(score + (outcome.final_score - score) * step, std::memory_order_relaxed);
        }
    }
    const std::uint32_t n = node.visits.load(std::memory_order_relaxed);
    if (!spread || (before == static_cast<float>(n) && outcome.weight == 1)) return count(node, value, outcome, alone);
    const double step = outcome.weight / (before + outcome.weight), mean = n ? node.mean() : 0;
    node.value.store(static_cast<std::int64_t>((mean + (value - mean) * step) * (n + 1) * Node::kUnit),
                     std::memory_order_relaxed);
    add(node.visits, 1u, alone);
    add(node.in_flight, static_cast<std::uint16_t>(-1), alone);
    const auto average = [step](std::atomic<float>& kept, float x) {
        const float old = kept.load(std::memory_order_relaxed);
        kept.store(old + (x - old) * static_cast<float>(step), std::memory_order_relaxed);
    };
    average(node.margin, outcome.margin);
    average(node.draw, outcome.draw);
}

// Record an evaluator's answer for a leaf, `value` for player 0, after its outcome was counted.
inline void note_said(Spread& spread, const Biases& biases, double share, double value, const Outcome& outcome) {
    const float said = static_cast<float>(value);
    spread.said = {said, said, outcome.weight};
    if (outcome.locality && share > 0) spread.said.place = biases.place(outcome.locality);
}

// After an outcome was counted: let what was found below a node correct what was said of it. `below`: by how much the sum
// of the results below has changed beyond the outcome, for player 0; returns the same of this node.
inline double correct(Node& node, Spread& spread, Biases& biases, double share, int mover, double below) {
    Said& said = spread.said;
    const double weight = static_cast<double>(spread.weight.load(std::memory_order_relaxed));
    const std::uint32_t visits = node.visits.load(std::memory_order_relaxed);
    double change = below;
    if (said.place != Biases::kNone && share > 0) {
        const double others = weight - static_cast<double>(said.weight);
        if (others > 1e-6) {
            const double mean = mover == 0 ? node.mean() : 1 - node.mean();
            const double found = (mean * weight + below - static_cast<double>(said.used * said.weight)) / others;
            const double now = std::pow(others, Biases::kExponent),
                         error = now * (found - static_cast<double>(said.value));
            biases.learn(said.place, error - static_cast<double>(said.error),
                         now - static_cast<double>(said.error_weight));
            said.error = static_cast<float>(error);
            said.error_weight = static_cast<float>(now);
        }
        const double used = std::clamp(static_cast<double>(said.value) + share * biases.mean(said.place), 0.0, 1.0);
        change += static_cast<double>(said.weight) * (used - static_cast<double>(said.used));
        said.used = static_cast<float>(used);
    }
    if (change != 0)
        add(node.value, static_cast<std::int64_t>((mover == 0 ? change : -change) * visits / weight * Node::kUnit),
            true);
    return change;
}

inline constexpr std::uint16_t kAmafCap = 65535;  // then the older half is forgotten

// Count the value for the moves of a node that `player`, to move there, played later: first[move] is who played a
// native move first, -1 nobody. The value is for `player`.
template <GameState S>
void update_amaf(Arena& arena, Node& node, const std::array<std::int8_t, S::kMoveBound>& first, int player,
                 double value) {
    const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
    for (std::uint32_t i = begin; i < begin + node.edge_count; ++i) {
        Edge& edge = arena.edge(i);
        if (edge.move == S::kPassMove || first[edge.move] != player) continue;
        std::uint16_t n = edge.amaf_visits.load(std::memory_order_relaxed);
        float sum = edge.amaf_value.load(std::memory_order_relaxed);
        if (n == kAmafCap) {
            n /= 2;
            sum *= static_cast<float>(n) / static_cast<float>(kAmafCap);
        }
        edge.amaf_visits.store(static_cast<std::uint16_t>(n + 1), std::memory_order_relaxed);
        edge.amaf_value.store(sum + static_cast<float>(value), std::memory_order_relaxed);
    }
}

// Update the proof of a node from the proof of a reply: its mover gets at most what the reply leaves, and at least what
// the best of all replies leaves.
inline void update_proof(const Arena& arena, Node& node, const Node& reply) {
    const Proof found = reply.proof.load(std::memory_order_relaxed);
    if (found.says_nothing() || node.proof.load(std::memory_order_relaxed).is_exact()) return;
    int best = 1;
    if (found.high() < 1 && node.complete) {
        best = -1;
        const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
        for (std::uint32_t i = begin; best < 1 && i < begin + node.edge_count; ++i) {
            const Node* below = arena.below(arena.edge(i));
            best = std::max(best, below ? below->proof.load(std::memory_order_relaxed).high() : 1);
        }
    }
    learn(node.proof, Proof(-best, -found.low()));
}

}  // namespace tengen::mcts
