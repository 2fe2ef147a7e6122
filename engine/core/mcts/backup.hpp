// What a simulation teaches the nodes on its path: the value of a result, AMAF statistics, proofs.
#pragma once

#include <algorithm>
#include <array>

#include "core/concepts.hpp"
#include "core/mcts/node.hpp"

namespace tengen::mcts {

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

inline constexpr std::uint32_t kAmafCap = 1u << 23;  // floats count exactly to here

// Count the value for the children of a node that `player`, to move there, played later: first[move] is who played a
// native move first, -1 nobody. The value is for `player`.
template <GameState S>
void update_amaf(Arena& arena, Node& node, const std::array<std::int8_t, S::kMoveBound>& first, int player,
                 double value) {
    const std::uint32_t begin = node.children.load(std::memory_order_relaxed);
    for (std::uint32_t i = begin; i < begin + node.child_count; ++i) {
        Node& child = arena[i];
        if (child.move == S::kPassMove || first[child.move] != player) continue;
        const std::uint32_t n = child.amaf_visits.load(std::memory_order_relaxed);
        if (n >= kAmafCap) continue;
        child.amaf_visits.store(n + 1, std::memory_order_relaxed);
        child.amaf_value.store(child.amaf_value.load(std::memory_order_relaxed) + static_cast<float>(value),
                               std::memory_order_relaxed);
    }
}

// A won reply loses; when every reply loses, the move that led here has won.
inline void update_proof(const Arena& arena, Node& node, const Node& reply) {
    const int proof = reply.proof.load(std::memory_order_relaxed);
    if (!proof || node.proof.load(std::memory_order_relaxed)) return;
    if (proof > 0) {
        node.proof.store(-1, std::memory_order_relaxed);
    } else if (node.complete) {
        const std::uint32_t begin = node.children.load(std::memory_order_relaxed);
        for (std::uint32_t i = begin; i < begin + node.child_count; ++i)
            if (arena[i].proof.load(std::memory_order_relaxed) >= 0) return;
        node.proof.store(1, std::memory_order_relaxed);
    }
}

}  // namespace tengen::mcts
