// Expansion of a leaf: the moves worth a search, their priors, and the edges for them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <thread>

#include "core/mcts/leaf.hpp"

namespace tengen::mcts {

template <GameState S, LeafEvaluator<S> E>
class Expander {
public:
    Expander(Shared<S>& shared, E& evaluator) : shared_(shared), evaluator_(evaluator) {}

    // Give the node of a leaf its moves, with the priors of a stepped evaluator, in random order. False: it has none, or
    // another thread is at it, or there is no memory.
    bool expand(const Leaf<S>& leaf, Random& random) {
        Node& node = shared_.arena->node(leaf.node());
        const bool at_root = leaf.depth == 0;
        std::uint32_t expected = Node::kNoEdges;
        if (!node.edges.compare_exchange_strong(expected, Node::kExpanding, std::memory_order_acquire))
            return expected > Node::kExpanding || (at_root && wait_for_edges(node));
        const int found = find_moves(node, leaf);
        if (found <= 0) {
            node.edges.store(Node::kNoEdges, std::memory_order_release);
            return false;
        }
        const auto size = static_cast<std::size_t>(found);
        for (std::size_t i = size - 1; i > 0; --i)
            std::swap(moves_[i], moves_[random.below(static_cast<std::uint32_t>(i + 1))]);
        evaluator_.priors(leaf.state, std::span<const int>(moves_.data(), size), priors_.data());
        return grow(node, found);
    }

    // Give a leaf its moves, with how likely each is: softmax of logit(native move).
    template <class Logit>
    void expand(const Leaf<S>& leaf, const Logit& logit) {
        Node& node = shared_.arena->node(leaf.node());
        if (node.has_edges()) return;
        const int found = find_moves(node, leaf);
        if (found <= 0) return;
        const std::span<Prior> priors(priors_.data(), static_cast<std::size_t>(found));
        float most = std::numeric_limits<float>::lowest(), total = 0;
        for (std::size_t i = 0; i < priors.size(); ++i) {
            priors[i] = {logit(moves_[i]), 0};
            most = std::max(most, priors[i].wins);
        }
        for (Prior& prior : priors) total += prior.wins = std::exp(prior.wins - most);
        for (Prior& prior : priors) prior.wins /= total;
        grow(node, found);
    }

    // Ask an evaluator that says everything at once; the leaf gets its moves, unless another thread gives them. The
    // margin; nothing when the position is proved instead.
    std::optional<float> answer(const Leaf<S>& leaf) {
        Node& node = shared_.arena->node(leaf.node());
        std::uint32_t expected = Node::kNoEdges;
        const bool is_mine = node.edges.compare_exchange_strong(expected, Node::kExpanding, std::memory_order_acquire);
        const int found = find_moves(node, leaf);
        const std::span<const int> moves(moves_.data(), static_cast<std::size_t>(std::max(found, 0)));
        std::optional<float> margin;
        if (found >= 0) margin = evaluator_.answer(leaf.state, moves, priors_.data());
        if (is_mine && found > 0) grow(node, found);
        if (is_mine && found <= 0) node.edges.store(Node::kNoEdges, std::memory_order_release);
        return margin;
    }

private:
    // Edges for the first `found` of moves_, with priors_. False: there is no memory for them.
    bool grow(Node& node, int found) {
        const std::uint32_t begin = shared_.arena->new_edges(found);
        if (!begin) {
            shared_.arena_full.store(true, std::memory_order_relaxed);
            node.edges.store(Node::kNoEdges, std::memory_order_release);
            return false;
        }
        const auto size = static_cast<std::size_t>(found);
        for (std::size_t i = 0; i < size; ++i) {
            Edge& edge = shared_.arena->edge(begin + static_cast<std::uint32_t>(i));
            edge.move = static_cast<std::uint16_t>(moves_[i]);
            edge.prior = pack(evaluator_, priors_[i]);
        }
        node.edge_count = static_cast<std::uint16_t>(found);
        node.complete = complete_;
        node.edges.store(begin, std::memory_order_release);
        return true;
    }

    // The moves worth a search, in moves_; -1 when the position is proved instead, which the node then says.
    int find_moves(Node& node, const Leaf<S>& leaf) {
        complete_ = S::kCandidatesComplete;
        [[maybe_unused]] const bool at_root = leaf.depth == 0;
        int found;
        if constexpr (Adviser<E, S>) {
            const Advice advice = evaluator_.advise(leaf.state, at_root, moves_.data());
            if (advice.proof && !at_root) {
                learn(node.proof, Proof::exactly(-advice.proof));
                return -1;
            }
            found = advice.count;
            complete_ = advice.complete || advice.proof > 0;
        } else {
            found = leaf.state.candidate_moves(moves_.data());
        }
        const auto end = std::remove_if(moves_.begin(), moves_.begin() + found, [&](int m) {
            return repeats(shared_.facts, leaf, m) ||
                   shared_.facts.holds_back(leaf.state.to_move(), leaf.state.to_dense(m), leaf.depth);
        });
        found = static_cast<int>(end - moves_.begin());
        if constexpr (!Adviser<E, S>) found = add_named_moves(leaf, found);
        if constexpr (Adviser<E, S>) {
            const auto is_excluded = [&](int m) { return shared_.excluded[static_cast<std::size_t>(m)]; };
            if (at_root && std::all_of(moves_.begin(), end, is_excluded)) found = add_allowed_moves(leaf);
        }
        return found;
    }

    // Moves that a restriction leaves as the only ones are searched although they are no candidates: a pass in the
    // opening, an own eye.
    int add_named_moves(const Leaf<S>& leaf, int found) {
        const search::RootFacts& facts = shared_.facts;
        const int player = leaf.state.to_move();
        const bool at_root = leaf.depth == 0 && !facts.allow.empty();
        const bool is_held_back = facts.is_held_back(player);
        if (leaf.state.is_terminal() ||
            !(at_root || (is_held_back && (found == 0 || facts.holds_most_back(player, leaf.depth)))))
            return found;
        for (int dense = 0; dense < leaf.state.move_bound(); ++dense) {
            const int move = leaf.state.from_dense(dense);
            const bool is_named = (!at_root || facts.permits(dense)) && !facts.holds_back(player, dense, leaf.depth);
            const auto end = moves_.begin() + found;
            if (is_named && leaf.state.is_legal(move) && !repeats(facts, leaf, move) &&
                std::find(moves_.begin(), end, move) == end)
                moves_[static_cast<std::size_t>(found++)] = move;
        }
        return found;
    }

    // The advice leaves nothing that the root may play: every legal move instead.
    int add_allowed_moves(const Leaf<S>& leaf) {
        int found = 0;
        complete_ = true;
        for (int dense = 0; dense < leaf.state.move_bound(); ++dense) {
            const int move = leaf.state.from_dense(dense);
            if (leaf.state.is_legal(move) && !repeats(shared_.facts, leaf, move))
                moves_[static_cast<std::size_t>(found++)] = move;
        }
        return found;
    }

    // Another thread expands the root: without its edges there is nothing to do.
    static bool wait_for_edges(const Node& node) {
        while (node.edges.load(std::memory_order_acquire) == Node::kExpanding) std::this_thread::yield();
        return node.has_edges();
    }

    Shared<S>& shared_;
    E& evaluator_;
    std::array<int, S::kMaxMoves> moves_;
    std::array<Prior, S::kMaxMoves> priors_;
    bool complete_ = false;  // whether moves_ leaves out nothing better
};

}  // namespace tengen::mcts
