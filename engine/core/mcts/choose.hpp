// Selection: which child a simulation visits next.
//
// UCB1 on the mean of a child, priors counted as virtual visits and AMAF blended in by the RAVE schedule; PUCT for an
// evaluator whose priors are a policy. What is proved comes first or last.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/interface.hpp"
#include "core/mcts/node.hpp"

namespace tengen::mcts {

// The child to visit next, 0 when the node has none that may be visited. E: the evaluator that made the priors.
template <class E>
std::uint32_t choose(const Arena& arena, const Node& node, const Settings& settings, bool at_root) {
    const std::uint32_t begin = node.children.load(std::memory_order_relaxed);
    const float c2_log =
        static_cast<float>(settings.c * settings.c * std::log(node.visits.load(std::memory_order_relaxed) + 1.0));
    const float inverse_k = settings.rave_equivalence > 0 ? static_cast<float>(1.0 / settings.rave_equivalence) : 0.0f;
    [[maybe_unused]] const float puct =
        static_cast<float>(settings.c * std::sqrt(static_cast<double>(node.visits.load(std::memory_order_relaxed))));
    [[maybe_unused]] const float first_value =
        std::max(0.0f, static_cast<float>(1.0 - node.mean() - settings.fpu_reduction));
    const bool amaf_on = E::kUsesAmaf && settings.rave_equivalence > 0;
    std::uint32_t best = 0;
    float best_value = -1e30f;
    for (std::uint32_t i = begin; i < begin + node.child_count; ++i) {
        const Node& child = arena[i];
        if (at_root && child.excluded) continue;
        const float n = static_cast<float>(child.visits.load(std::memory_order_relaxed));
        const float weight = n + child.prior_visits;
        float value;
        if (const int proof = child.proof.load(std::memory_order_relaxed)) {
            value = proof > 0 ? 1e6f : -1e6f + n * -1.0f;
        } else if constexpr (PolicyEvaluator<E>) {
            const float mean = n > 0 ? static_cast<float>(child.value.load(std::memory_order_relaxed)) *
                                           static_cast<float>(1.0 / Node::kUnit) / n
                                     : first_value;
            value = mean + puct * child.prior_value / (1 + n);
        } else {
            const float wins = static_cast<float>(child.value.load(std::memory_order_relaxed)) *
                                   static_cast<float>(1.0 / Node::kUnit) +
                               child.prior_value;
            value = weight > 0 ? wins / weight : static_cast<float>(settings.first_play_value);
            if (amaf_on) {
                const float a = static_cast<float>(child.amaf_visits.load(std::memory_order_relaxed));
                if (a > 0) {
                    const float beta = a / (a + weight + weight * a * inverse_k);
                    value += beta * (child.amaf_value.load(std::memory_order_relaxed) / a - value);
                }
            }
            if (c2_log > 0 && n > 0) value += std::sqrt(c2_log / n);
        }
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

}  // namespace tengen::mcts
