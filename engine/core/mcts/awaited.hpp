// The core's side of an evaluator that answers batches, and its answer for a leaf.
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
struct AnswerFacts {
    float win = 0.5f, draw = 0;
    float score = 0;
    float value_error = 0,
          score_error = 0;       // how far the value (win less loss) and the score may be from what comes soon
    float mean = 0, square = 0;  // of the final score: expected value, and of its square
    std::uint32_t has_score = 0, has_errors = 0, has_spread = 0;
};
struct Answer : AnswerFacts {
    std::span<const float> policy{}, owners{};
};

}  // namespace tengen::mcts
