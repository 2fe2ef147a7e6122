// The proof of a node: bounds on the result for the player who moved into it (Cazenave & Saffidine 2010).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tengen::mcts {

// The result is at least `low` and at most `high`: -1 lost, 0 drawn, 1 won.
class Proof {
public:
    constexpr Proof() : Proof(-1, 1) {}
    constexpr Proof(int low, int high) : low_(static_cast<std::int8_t>(low)), high_(static_cast<std::int8_t>(high)) {}
    static constexpr Proof exactly(int result) { return {result, result}; }
    constexpr int low() const { return low_; }
    constexpr int high() const { return high_; }
    constexpr bool is_exact() const { return low_ == high_; }
    constexpr bool says_nothing() const { return low_ < 0 && high_ > 0; }
    // Whether a move with this proof needs no more visits, where another is sure of `floor`: it has won, has lost or
    // is at best as good.
    constexpr bool settles(int floor) const { return low_ > 0 || high_ < 0 || (high_ <= floor && low_ < floor); }
    // Both of what is known.
    constexpr Proof with(Proof other) const { return {std::max(low_, other.low_), std::min(high_, other.high_)}; }

private:
    std::int8_t low_, high_;
};

static_assert(std::atomic<Proof>::is_always_lock_free);

// The sign of a margin for player 0, as a result for `player`.
constexpr int result_of(float margin, int player) {
    const int sign = margin > 0 ? 1 : margin < 0 ? -1 : 0;
    return player == 0 ? sign : -sign;
}

// Add what is known to what was known.
inline void learn(std::atomic<Proof>& proof, Proof more) {
    Proof old = proof.load(std::memory_order_relaxed);
    while (!proof.compare_exchange_weak(old, old.with(more), std::memory_order_relaxed)) {
    }
}

}  // namespace tengen::mcts
