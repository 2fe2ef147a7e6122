// A made-up network of the toy game: it says of every position what its key says.
#pragma once

#include <array>
#include <cmath>

#include "../toy/morris.hpp"
#include "core/random.hpp"

namespace toy {

// For the side to move, -1..1.
inline float value_of(const toy::State& state) {
    std::uint64_t seed = state.state_key();
    return static_cast<float>(tengen::splitmix64(seed) % 2001) / 1000.0f - 1.0f;
}

// Logits by dense move.
inline std::array<float, toy::State::kMoveBound> policy_of(const toy::State& state) {
    std::array<float, toy::State::kMoveBound> out;
    std::uint64_t seed = state.state_key() + 1;
    for (float& logit : out) logit = std::log(static_cast<float>(1 + tengen::splitmix64(seed) % 100));
    return out;
}

}  // namespace toy
