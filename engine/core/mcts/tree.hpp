// Restructuring of the tree between and within runs: moving the root, pruning at the memory bound.
#pragma once

#include "core/mcts/search.hpp"

namespace tengen::mcts {

// Make `state` the root. The old tree is kept where the last one to four moves lead to it from the old root.
template <GameState S, LeafEvaluator<S> E>
void Search<S, E>::move_root(const S& state, const RootFacts& facts) {
    const bool same_value = facts.komi_shift == shared_.facts.komi_shift;
    const std::uint64_t wanted = state.state_key();
    bool found = same_value && shared_.state.state_key() == wanted;
    for (std::size_t back = 1; same_value && !found && back <= std::min<std::size_t>(4, facts.recent.size()); ++back) {
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
        std::uint32_t node = shared_.root;
        for (int move : line) {
            const std::uint32_t begin = arena_[node].children.load(std::memory_order_relaxed);
            std::uint32_t next = 0;
            if (arena_[node].has_children())
                for (std::uint32_t i = begin; i < begin + arena_[node].child_count; ++i)
                    if (arena_[i].move == move) next = i;
            node = next;
            if (!node) break;
        }
        if (!node) break;
        const std::uint32_t root = arena_.allocate(1);
        if (!root) break;
        arena_[root].copy_from(arena_[node]);
        arena_[root].proof.store(0, std::memory_order_relaxed);
        arena_[node].children.store(Node::kNoChildren, std::memory_order_relaxed);  // moved, not dropped
        arena_.release(shared_.root, 1);
        shared_.root = root;
        found = true;
    }
    shared_.state = state;
    shared_.facts = facts;
    std::sort(shared_.facts.seen.begin(), shared_.facts.seen.end());
    if (!found) new_root();
    Node& root = arena_[shared_.root];
    const std::uint32_t begin = root.children.load(std::memory_order_relaxed);
    if (!root.has_children()) return;
    bool any = false;
    for (std::uint32_t i = begin; i < begin + root.child_count; ++i) {
        arena_[i].excluded = shared_.is_excluded(arena_[i].move);
        any |= !arena_[i].excluded;
    }
    if (Adviser<E, S> && !any) release_children(root);  // the worker asks anew, for moves that are allowed
}

template <GameState S, LeafEvaluator<S> E>
std::size_t Search<S, E>::nodes_below(const Node& top) const {
    std::size_t count = 0;
    std::vector<const Node*> stack{&top};
    while (!stack.empty() && !stop_.load(std::memory_order_relaxed)) {
        const Node& node = *stack.back();
        stack.pop_back();
        if (!node.has_children()) continue;
        const std::uint32_t begin = node.children.load(std::memory_order_relaxed);
        count += node.child_count;
        for (std::uint32_t i = begin; i < begin + node.child_count; ++i) stack.push_back(&arena_[i]);
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
    if (!stop_.load()) room_seconds_ = std::max(seconds() - begin, 0.9 * room_seconds_);
}

// Drop the subtrees with the fewest visits until a quarter of the arena is free. False when nothing could go. `stop`
// ends it early.
template <GameState S, LeafEvaluator<S> E>
bool Search<S, E>::prune() {
    std::uint32_t threshold = static_cast<std::uint32_t>(shared_.settings.expand_visits) + 2;
    std::size_t dropped = 0;
    const std::size_t wanted = arena_.capacity() / 4;
    for (int round = 0; round < 20 && dropped < wanted && !stop_.load(); ++round, threshold *= 2) {
        std::vector<std::uint32_t> stack{shared_.root};
        while (!stack.empty() && dropped < wanted && !stop_.load(std::memory_order_relaxed)) {
            Node& node = arena_[stack.back()];
            stack.pop_back();
            const std::uint32_t begin = node.children.load(std::memory_order_relaxed);
            for (std::uint32_t i = begin; i < begin + node.child_count; ++i) {
                Node& child = arena_[i];
                if (!child.has_children()) continue;
                if (child.visits.load(std::memory_order_relaxed) < threshold) {
                    dropped += nodes_below(child);
                    release_children(child);
                } else {
                    stack.push_back(i);
                }
            }
        }
    }
    arena_.defragment(stop_);
    return dropped > 0;
}

}  // namespace tengen::mcts
