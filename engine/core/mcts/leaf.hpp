// The data of a simulation: the data that threads share, the leaf that it reaches, the repetitions on its way.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/concepts.hpp"
#include "core/mcts/arena.hpp"
#include "core/mcts/bias.hpp"
#include "core/mcts/choose.hpp"
#include "core/mcts/root_rule.hpp"
#include "core/mcts/settings.hpp"
#include "core/search/root_facts.hpp"

namespace tengen::mcts {

// The count of one owned cell of one playout in `Shared::ownership`: awaited evaluators say fractions.
template <class E>
inline constexpr std::int32_t kOwnerUnit = AwaitedEvaluator<E> ? 256 : 1;

// The data that the threads of one search share.
template <GameState S>
struct Shared {
    explicit Shared(const S& root_state, std::size_t awaited_bytes = 0) : state(root_state), biases(awaited_bytes) {}
    S state;                  // at the root
    search::RootFacts facts;  // `seen` sorted
    Settings settings;
    Arena* arena = nullptr;
    std::uint32_t root = 0;
    Excluded<S> excluded{};         // moves that the root may not play
    Biases biases;                  // of an evaluator that is awaited
    RootRule* root_rule = nullptr;  // which of its moves go before those of the rule, if anybody says so
    std::atomic<bool> arena_full{false};
    std::array<std::atomic<std::int32_t>, S::kMaxCells> ownership{};
    std::atomic<std::uint32_t> owned_playouts{0};
    std::atomic<std::uint64_t> plies{0}, simulations{0};  // of this run: lengths of all paths, how many
    std::atomic<int> deepest{0};

    void start_run() {
        for (auto& o : ownership) o.store(0, std::memory_order_relaxed);
        owned_playouts.store(0);
        plies.store(0);
        simulations.store(0);
        deepest.store(0);
    }
    // Plies that the run has looked ahead on average.
    double mean_depth() const {
        const auto n = static_cast<double>(simulations.load(std::memory_order_relaxed));
        return n > 0 ? static_cast<double>(plies.load(std::memory_order_relaxed)) / n : 0;
    }
};

// The end of a simulation's descent: a position that waits for its value, and the path whose visits are in flight.
template <GameState S>
struct Leaf {
    static constexpr int kMaxDepth = 1024;

    explicit Leaf(const S& root) : state(root) {}
    std::uint32_t node() const { return path[static_cast<std::size_t>(depth)]; }

    S state;
    Trace trace;
    int depth = 0;
    bool has_recurred = false;  // a draw by repetition
    std::array<std::uint32_t, kMaxDepth> path;
    std::array<std::uint64_t, kMaxDepth> keys;  // repetition keys of the positions on the path
};

// Whether a key occurred on the path down to this depth.
template <GameState S>
bool is_on_path(const Leaf<S>& leaf, std::uint64_t key, int depth) {
    for (int d = 0; d <= depth; ++d)
        if (leaf.keys[static_cast<std::size_t>(d)] == key) return true;
    return false;
}

// Whether the rules forbid the move because it repeats a position.
template <GameState S>
bool repeats(const search::RootFacts& facts, const Leaf<S>& leaf, int move) {
    if (DrawsByRepetition<S> || !leaf.state.may_repeat(move)) return false;
    const std::uint64_t key = leaf.state.repetition_key_after(move);
    return is_on_path(leaf, key, leaf.depth) || facts.times(key) > 0;
}

// Whether the position just reached counts as a draw by repetition: it was on the path before, where once is enough,
// since who could avoid it the second time could have avoided it now; or the game has seen it twice.
template <GameState S>
bool recurs(const search::RootFacts& facts, const Leaf<S>& leaf) {
    if constexpr (DrawsByRepetition<S>) {
        const std::uint64_t key = leaf.keys[static_cast<std::size_t>(leaf.depth)];
        return is_on_path(leaf, key, leaf.depth - 1) || facts.times(key) >= 2;
    } else {
        return false;
    }
}

// Moves that only an earlier position forbids the mover, into out[S::kMaxMoves]; how many.
template <GameState S>
int banned(const search::RootFacts& facts, const Leaf<S>& leaf, int* out) {
    int count = 0;
    for (int dense = 0; !DrawsByRepetition<S> && dense < leaf.state.move_bound(); ++dense) {
        const int move = leaf.state.from_dense(dense);
        if (leaf.state.is_legal(move) && repeats(facts, leaf, move)) out[count++] = move;
    }
    return count;
}

}  // namespace tengen::mcts
