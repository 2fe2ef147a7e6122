// The two things a search tree is made of: a node for each position that was visited, an edge for each move from it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/mcts/proof.hpp"

namespace tengen::mcts {

// Add to a counter; `alone`: no other thread writes it, which spares the lock of the bus.
template <class T>
void add(std::atomic<T>& counter, T more, bool alone) {
    if (alone)
        counter.store(static_cast<T>(counter.load(std::memory_order_relaxed) + more), std::memory_order_relaxed);
    else
        counter.fetch_add(more, std::memory_order_relaxed);
}

// Values are for the player who moved into the node. Counters are relaxed atomics: a visit is never lost; the running
// means may lose one of two that come at once.
struct Node {
    static constexpr std::uint32_t kNoEdges = 0, kExpanding = 1;  // of `edges`; otherwise an arena index
    static constexpr double kUnit = 1 << 20;                      // fixed point of `value`

    std::atomic<std::int64_t> value{0};    // sum of results in 0..1, in units of 1 / kUnit
    std::atomic<std::uint32_t> visits{0};  // whose results have been counted
    std::atomic<std::uint32_t> edges{kNoEdges};
    std::atomic<float> draw{0};               // running mean of the share of draws
    std::atomic<float> margin{0};             // running mean of the final margin, + = player 0
    std::atomic<std::uint16_t> in_flight{0};  // visits whose results are awaited: losses to whoever chooses meanwhile
    std::uint16_t edge_count = 0;
    std::atomic<Proof> proof{Proof()};
    bool complete = false;  // the edges leave out no move that could be better

    double mean() const {  // of `value`; 0.5 before the first visit
        const std::uint32_t n = visits.load(std::memory_order_relaxed);
        return n ? static_cast<double>(value.load(std::memory_order_relaxed)) / kUnit / n : 0.5;
    }
    // Visits, those in flight counted too.
    std::uint32_t started() const {
        return visits.load(std::memory_order_relaxed) + in_flight.load(std::memory_order_relaxed);
    }
    bool has_edges() const { return edges.load(std::memory_order_acquire) > kExpanding; }
};

// The evaluator's value of a node itself, for player 0; and the weight of its error (bias.hpp).
struct Said {
    float value = 0, used = 0;  // as it was said, and corrected
    float weight = 0;           // in the sum of the node's results; 0: nothing was said
    float error = 0, error_weight = 0;
    std::uint32_t place = 0;  // of its error
};

// The total weight of a node's results, and the means of their squares and of the squares of their margins; where the
// evaluator predicts the spread of the final score, the means of that score (+ = player 0) and of its square. Kept behind
// each node of a tree whose evaluator may say how sure it is (Arena).
struct Spread {
    std::atomic<float> weight{0}, square{0}, margin_square{0};
    std::atomic<float> final_score{0}, final_square{-1};  // the square: less than 0 where nothing is known
    Said said{};                                          // only the thread that searches knows it
};

// A move, what was said of it before it was visited, and its AMAF statistics. Values are for the player who moves.
struct Edge {
    std::uint32_t prior = 0;  // packed: see prior.hpp
    std::atomic<float> amaf_value{0};
    std::atomic<std::uint32_t> node{0};  // where the move leads, 0 before its first visit
    std::uint16_t move = 0;              // native
    std::atomic<std::uint16_t> amaf_visits{0};
};

}  // namespace tengen::mcts
