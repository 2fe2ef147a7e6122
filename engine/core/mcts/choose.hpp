// Choose the move that a simulation visits next: the one worth most by UCT, or PUCT for an evaluator whose priors are a
// policy. What is proved comes first or last.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/concepts.hpp"
#include "core/mcts/arena.hpp"
#include "core/mcts/prior.hpp"
#include "core/mcts/puct.hpp"
#include "core/mcts/uct.hpp"

namespace tengen::mcts {

// Native moves that the root may not play.
template <GameState S>
using Excluded = std::array<bool, static_cast<std::size_t>(S::kMoveBound)>;

// The result that the side to move is sure of: the best lower bound of its moves. `excluded`: null but at the root,
// whose proof is not kept, because it may not play every move.
template <class Moves>
int floor_of(const Arena& arena, const Node& node, const Moves* excluded) {
    if (!excluded) return -node.proof.load(std::memory_order_relaxed).high();
    const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
    int low = -1;
    for (std::uint32_t i = begin; i < begin + node.edge_count; ++i) {
        const Edge& edge = arena.edge(i);
        if ((*excluded)[edge.move]) continue;
        if (const Node* below = arena.below(edge))
            low = std::max(low, below->proof.load(std::memory_order_relaxed).low());
    }
    return low;
}

// Before all others what has won, behind them what cannot be better than what is sure, the more visits the later.
inline float rank(Proof proof, float n) { return proof.low() > 0 ? 1e6f : (proof.high() < 0 ? -1e6f : -1e5f) - n; }

inline constexpr std::uint32_t kAhead = 8;  // edges whose nodes are asked for before they are needed

// By what an evaluator's priors are.
template <class E>
using RuleOf = std::conditional_t<PolicyEvaluator<E>, Puct, Uct<E::kUsesAmaf>>;

// The edge to visit next, 0 when the node has none that may be visited. The evaluator is the one that made the priors.
// kVisited: only of edges that lead to a node already. `player`: whose move it is.
template <bool kVisited = false, class E, class Moves>
std::uint32_t choose(const Arena& arena, const Node& node, const typename RuleOf<E>::Settings& settings,
                     const E& evaluator, const Moves* excluded, int player = 0) {
    const RuleOf<E> worth(settings, arena, node, excluded, player);
    const std::uint32_t begin = node.edges.load(std::memory_order_relaxed), end = begin + node.edge_count;
    const int floor = floor_of(arena, node, excluded);
    std::uint32_t best = 0;
    float best_value = -1e30f;
    for (std::uint32_t i = begin; i < end; ++i) {
        const Edge& edge = arena.edge(i);
        if (i + kAhead < end) arena.prefetch_below(arena.edge(i + kAhead));
        if (excluded && (*excluded)[edge.move]) continue;
        float n = 0, sum = 0;
        Proof proof;
        const Node* below = arena.below(edge);
        if (below) {
            n = static_cast<float>(below->started());
            sum = static_cast<float>(below->value.load(std::memory_order_relaxed)) *
                  static_cast<float>(1.0 / Node::kUnit);
            proof = below->proof.load(std::memory_order_relaxed);
        } else if (kVisited) {
            continue;
        }
        const float value = !proof.says_nothing() && proof.settles(floor)
                                ? rank(proof, n)
                                : worth(edge, unpack(evaluator, edge.prior), n, sum, below);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

}  // namespace tengen::mcts
