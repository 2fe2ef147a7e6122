// The prior of a move before it is visited, in 32 bits of its edge.
//
// A policy is one probability. Virtual wins and visits are kept in steps of 1/32 up to 2047, unless the evaluator packs
// them itself: `std::uint32_t pack(Prior) const` and `Prior unpack(std::uint32_t) const`.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/concepts.hpp"

namespace tengen::mcts {

template <class E>
concept PacksPriors = requires(const E evaluator, Prior prior, std::uint32_t bits) {
    { evaluator.pack(prior) } -> std::same_as<std::uint32_t>;
    { evaluator.unpack(bits) } -> std::same_as<Prior>;
};

inline constexpr float kPriorStep = 1.0f / 32;

template <class E>
std::uint32_t pack(const E& evaluator, Prior prior) {
    if constexpr (PacksPriors<E>) return evaluator.pack(prior);
    if constexpr (PolicyEvaluator<E>) return std::bit_cast<std::uint32_t>(prior.wins);
    const auto steps = [](float x) {
        return static_cast<std::uint32_t>(std::clamp(std::nearbyint(x / kPriorStep), 0.0f, 65535.0f));
    };
    return steps(prior.wins) << 16 | steps(prior.visits);
}

template <class E>
Prior unpack(const E& evaluator, std::uint32_t bits) {
    if constexpr (PacksPriors<E>) return evaluator.unpack(bits);
    if constexpr (PolicyEvaluator<E>) return {std::bit_cast<float>(bits), 0};
    if (!bits) return {0, 0};  // no priors at all cost nothing
    return {static_cast<float>(bits >> 16) * kPriorStep, static_cast<float>(bits & 0xffff) * kPriorStep};
}

}  // namespace tengen::mcts
