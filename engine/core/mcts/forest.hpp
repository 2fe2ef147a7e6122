// Many trees searched side by side by an evaluator that answers batches: leaves are collected from all of them, and each
// answer is delivered to the leaf that asked. Any number of batches may be on their way at once.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/features.hpp"
#include "core/mcts/worker.hpp"

namespace tengen::mcts {

// Stands for an evaluator elsewhere, which says a policy and a value.
struct Awaited {
    static constexpr bool kUsesAmaf = false, kPolicyPriors = true, kMarginIsValue = true, kAwaited = true;
    template <class S>
    void add_ownership(const S&, std::int32_t*) const {}
};

// What the evaluator says of a leaf: logits of its moves by the policy index of the feature set, under the symmetry it
// was asked through; how likely the side to move there wins, and draws.
struct Answer {
    std::span<const float> policy;
    float win, draw;
};

template <GameState S, FeatureEncoder<S> F>
class Forest {
public:
    // A leaf that waits for its answer, seen through a symmetry.
    struct Asked {
        std::size_t tree;
        int symmetry;
        std::unique_ptr<Leaf<S>> leaf;
    };
    using Batch = std::vector<Asked>;

    // One tree a root, each of so many bytes. `facts`: of each root, or none. `turns`: leaves are seen through all
    // symmetries, each position through one that is its own.
    Forest(std::span<const S> roots, std::span<const search::RootFacts> facts, const Settings& settings, std::size_t bytes,
           bool turns)
        : turns_(turns) {
        for (std::size_t i = 0; i < roots.size(); ++i)
            trees_.push_back(
                std::make_unique<Tree>(roots[i], i < facts.size() ? facts[i] : search::RootFacts(), settings, bytes));
    }

    // Up to `room` leaves, from the trees in turn. A simulation whose end is known is counted at once. One that comes to
    // a leaf already asked about, or finds no memory to go on, is a collision: it is taken back. A tree that has had
    // kPatience of both is left in peace until the next call.
    Batch collect(std::size_t room) {
        Batch batch;
        std::vector<int> patience(trees_.size(), kPatience);
        std::unique_ptr<Leaf<S>> leaf;
        for (std::size_t idle = 0; idle < trees_.size() && batch.size() < room; next_ = (next_ + 1) % trees_.size()) {
            if (patience[next_] == 0) {
                ++idle;
                continue;
            }
            idle = 0;
            Tree& tree = *trees_[next_];
            if (!leaf) leaf = std::make_unique<Leaf<S>>(tree.shared.state);
            if (try_one(tree, *leaf))
                batch.push_back({next_, symmetry_of(leaf->state), std::move(leaf)});
            else
                --patience[next_];
        }
        return batch;
    }

    // What a network sees of a leaf (F::encode).
    void encode(const Asked& asked, float* planes, float* globals) const {
        const Tree& tree = *trees_[asked.tree];
        const Leaf<S>& leaf = *asked.leaf;
        std::vector<int> recent;  // native moves, newest last
        for (const int dense : tree.shared.facts.recent)
            recent.push_back(dense < 0 ? -1 : tree.shared.state.from_dense(dense));
        for (int i = 0; i < leaf.trace.size(); ++i) recent.push_back(leaf.trace.move(i));
        std::array<int, static_cast<std::size_t>(S::kMaxMoves)> out;
        const auto count = static_cast<std::size_t>(mcts::banned(tree.shared.facts, leaf, out.data()));
        F::encode(leaf.state, {recent, {out.data(), count}}, asked.symmetry, planes, globals);
    }

    // The answer to each leaf of a batch, in its order.
    void deliver(const Batch& batch, std::span<const Answer> answers) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            Tree& tree = *trees_[batch[i].tree];
            const Leaf<S>& leaf = *batch[i].leaf;
            tree.worker.expand(leaf, [&](int move) { return answers[i].policy[place(leaf.state, move, batch[i])]; });
            const float value = 2 * answers[i].win + answers[i].draw - 1;
            Outcome outcome;
            outcome.margin = leaf.state.to_move() == 0 ? value : -value;
            outcome.draw = answers[i].draw;
            tree.worker.back_up(leaf, outcome);
            ++tree.answered;
        }
    }

    struct Counts {
        std::uint64_t answered, known, collisions;
    };
    std::size_t size() const { return trees_.size(); }
    Counts counts(std::size_t tree) const {
        return {trees_[tree]->answered, trees_[tree]->known, trees_[tree]->collisions};
    }
    const Arena& arena(std::size_t tree) const { return trees_[tree]->arena; }
    const Node& root(std::size_t tree) const { return trees_[tree]->arena.node(trees_[tree]->shared.root); }
    const S& state(std::size_t tree) const { return trees_[tree]->shared.state; }

private:
    static constexpr int kPatience = 16;

    struct Tree {
        Tree(const S& root, const search::RootFacts& facts, const Settings& settings, std::size_t bytes)
            : arena(bytes), shared(root), worker(prepared(facts, settings), Awaited(), 1) {}
        Shared<S>& prepared(const search::RootFacts& facts, const Settings& settings) {
            shared.facts = facts;
            std::sort(shared.facts.seen.begin(), shared.facts.seen.end());
            shared.settings = settings;
            shared.arena = &arena;
            shared.root = arena.new_node();
            return shared;
        }
        Arena arena;
        Shared<S> shared;
        Worker<S, Awaited> worker;
        std::uint64_t answered = 0, known = 0, collisions = 0;
    };
    int symmetry_of(const S& state) const {
        if (!turns_) return 0;
        std::uint64_t key = state.state_key();
        return static_cast<int>(splitmix64(key) %
                                static_cast<std::uint64_t>(F::set().symmetries(state.width(), state.height())));
    }
    static std::size_t place(const S& state, int move, const Asked& asked) {
        return static_cast<std::size_t>(
            F::set().policy_index(state.to_dense(move), state.width(), state.height(), asked.symmetry));
    }

    // One simulation; whether its leaf waits for an answer.
    static bool try_one(Tree& tree, Leaf<S>& leaf) {
        tree.worker.descend(leaf);
        const Node& node = tree.arena.node(leaf.node());
        if (const std::optional<Outcome> end = tree.worker.known(leaf)) {
            tree.worker.back_up(leaf, *end);
            ++tree.known;
            return false;
        }
        if (node.in_flight.load(std::memory_order_relaxed) > 1 || node.has_edges()) {
            tree.worker.cancel(leaf);
            ++tree.collisions;
            return false;
        }
        return true;
    }

    std::vector<std::unique_ptr<Tree>> trees_;
    std::size_t next_ = 0;  // whose turn it is
    bool turns_;
};

}  // namespace tengen::mcts
