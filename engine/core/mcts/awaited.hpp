// What stands in the core for an evaluator that answers batches, and what it says of a leaf.
#pragma once

#include <cstdint>
#include <span>

namespace tengen::mcts {

// It says a policy and a value, and perhaps a score and owners, later.
struct Awaited {
    static constexpr bool kUsesAmaf = false, kPolicyPriors = true, kAwaited = true;
    template <class S>
    void add_ownership(const S&, std::int32_t*) const {}
};

// Logits of the leaf's moves by the policy index of the feature set, under the symmetry it was asked through; how likely
// the side to move there wins, and draws. Where the evaluator says so: how far that side leads, and how far each cell is
// its own, -1..1, by policy index too.
struct Answer {
    std::span<const float> policy;
    float win, draw;
    bool has_score = false;
    float score = 0;
    bool has_spread = false;
    float mean = 0, square = 0;  // of the final score, where the evaluator says so: expected value, and of its square
    std::span<const float> owners{};
};

}  // namespace tengen::mcts
