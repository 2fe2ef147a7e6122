// Restructuring of the tree between and within runs: moving the root, pruning at the memory bound.
#pragma once

#include "core/mcts/search.hpp"

namespace tengen::mcts {

// Make `state` the root. The old tree is kept where the last one to four moves lead to it from the old root.
template <GameState S, LeafEvaluator<S> E>
void Search<S, E>::move_root(const S& state, const search::RootFacts& facts) {
    // Plies from which moves are no longer held back count from the root, so that only the same root has the same tree.
    const bool same_rules = facts.komi_shift == shared_.facts.komi_shift && facts.until == shared_.facts.until;
    const bool may_move = same_rules && !facts.is_held_back(0) && !facts.is_held_back(1);
    const std::uint64_t wanted = state.state_key();
    bool found = same_rules && shared_.state.state_key() == wanted;
    for (std::size_t back = 1; may_move && !found && back <= std::min<std::size_t>(4, facts.recent.size()); ++back) {
        S at = shared_.state;
        std::vector<int> line;
        for (std::size_t i = facts.recent.size() - back; i < facts.recent.size(); ++i) {
            const int dense = facts.recent[i];
            if (dense < 0 || dense >= at.move_bound()) break;
            const int move = at.from_dense(dense);
            if (at.is_terminal() || !at.is_legal(move)) break;
            at.play(move);
            line.push_back(move);
        }
        if (line.size() != back || at.state_key() != wanted) continue;
        const std::uint32_t node = follow(line);
        if (!node) break;
        arena_.node(node).proof.store(Proof(), std::memory_order_relaxed);
        arena_.release_node(shared_.root);
        shared_.root = node;
        found = true;
    }
    shared_.state = state;
    shared_.facts = facts;
    std::sort(shared_.facts.seen.begin(), shared_.facts.seen.end());
    if (!found || lacks_named_moves(facts)) new_root();
    for (int move = 0; move < S::kMoveBound; ++move) shared_.excluded[static_cast<std::size_t>(move)] = false;
    for (int dense = 0; dense < state.move_bound(); ++dense)
        if (!facts.permits(dense)) shared_.excluded[static_cast<std::size_t>(state.from_dense(dense))] = true;
    // The worker asks an adviser anew, for moves that are allowed.
    if (Adviser<E, S> && root_node().has_edges() && permitted() == 0) release_edges(root_node());
}

// Whether the root has its moves, and not all that may be played alone: a pass or an own eye is no candidate.
template <GameState S, LeafEvaluator<S> E>
bool Search<S, E>::lacks_named_moves(const search::RootFacts& facts) const {
    if constexpr (Adviser<E, S>) return false;
    const Node& node = root_node();
    if (facts.allow.empty() || !node.has_edges()) return false;
    const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
    return std::any_of(facts.allow.begin(), facts.allow.end(), [&](int dense) {
        const int move = shared_.state.from_dense(dense);
        if (!shared_.state.is_legal(move)) return false;
        for (std::uint32_t e = begin; e < begin + node.edge_count; ++e)
            if (arena_.edge(e).move == move) return false;
        return true;
    });
}

// The node that a line of native moves leads to from the root, taken out of the tree; one that was not visited is made
// where its parent was. 0: the tree does not go so far, or there is no memory.
template <GameState S, LeafEvaluator<S> E>
std::uint32_t Search<S, E>::follow(const std::vector<int>& line) {
    std::uint32_t at = shared_.root;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Node& node = arena_.node(at);
        if (!node.has_edges()) return 0;
        const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
        std::uint32_t found = 0;
        for (std::uint32_t e = begin; e < begin + node.edge_count; ++e)
            if (arena_.edge(e).move == line[i]) found = e;
        if (!found) return 0;
        const bool is_last = i + 1 == line.size();
        const std::uint32_t next = arena_.edge(found).node.load(std::memory_order_relaxed);
        if (is_last) arena_.edge(found).node.store(0, std::memory_order_relaxed);  // moved, not dropped
        if (!next) return is_last ? arena_.new_node() : 0;
        at = next;
    }
    return at;
}

template <GameState S, LeafEvaluator<S> E>
std::size_t Search<S, E>::cells_below(const Node& top) const {
    std::size_t count = 0;
    std::vector<const Node*> stack{&top};
    while (!stack.empty() && !stop_.is_stopped()) {
        const Node& node = *stack.back();
        stack.pop_back();
        if (!node.has_edges()) continue;
        const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
        count += node.edge_count * sizeof(Edge) / Arena::kCell;
        for (std::uint32_t i = begin; i < begin + node.edge_count; ++i)
            if (const Node* below = arena_.below(arena_.edge(i))) {
                count += arena_.node_cells();
                stack.push_back(below);
            }
    }
    return count;
}

// Make room in a full arena, unless that would take longer than there is time: then the tree stays as it is and the
// search goes on without expanding.
template <GameState S, LeafEvaluator<S> E>
void Search<S, E>::make_room() {
    const double begin = seconds();
    if (bounds_.seconds > 0 && begin + 2 * room_seconds_ >= bounds_.seconds) {
        frozen_ = true;
        return;
    }
    arena_.defragment(stop_);
    if (4 * arena_.used() > 3 * arena_.capacity()) frozen_ = !prune();
    if (!stop_.is_stopped()) room_seconds_ = std::max(seconds() - begin, 0.9 * room_seconds_);
}

// Drop the subtrees with the fewest visits until a quarter of the arena is free. False when nothing could go. `stop`
// ends it early.
template <GameState S, LeafEvaluator<S> E>
bool Search<S, E>::prune() {
    std::uint32_t threshold = static_cast<std::uint32_t>(shared_.settings.expand_visits) + 2;
    std::size_t dropped = 0;
    const std::size_t wanted = arena_.capacity() / 4;
    for (int round = 0; round < 20 && dropped < wanted && !stop_.is_stopped(); ++round, threshold *= 2) {
        std::vector<std::uint32_t> stack{shared_.root};
        while (!stack.empty() && dropped < wanted && !stop_.is_stopped()) {
            const Node& node = arena_.node(stack.back());
            stack.pop_back();
            if (!node.has_edges()) continue;
            const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
            for (std::uint32_t i = begin; i < begin + node.edge_count; ++i) {
                const std::uint32_t below = arena_.edge(i).node.load(std::memory_order_relaxed);
                if (!below || !arena_.node(below).has_edges()) continue;
                Node& child = arena_.node(below);
                if (child.visits.load(std::memory_order_relaxed) < threshold) {
                    dropped += cells_below(child);
                    release_edges(child);
                } else {
                    stack.push_back(below);
                }
            }
        }
    }
    arena_.defragment(stop_);
    return dropped > 0;
}

}  // namespace tengen::mcts
