// The result of a search at its root: the value, what the policy should be, what it was, and the move that it names
// itself.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/mcts/forest.hpp"

namespace tengen::selfplay {

// For the side to move. `policy` is of the moves of `target`, empty where nobody said it.
struct Found {
    float win = 0, draw = 0, score = 0;
    std::vector<std::pair<int, float>> target;
    std::vector<double> policy;
    int best = -1;  // dense: proved to be as good as any, or named by the rule of the root; -1: none is
};

// The proofs of the moves: the best result that one of them is sure of, and whether no other can be better.
struct Settled {
    bool is = false;
    int result = -1;
    std::vector<const mcts::Edge*> by;  // moves that reach it for certain
};

inline Settled settled(const mcts::Arena& arena, const mcts::Node& root) {
    Settled out;
    int high = -1;
    const std::uint32_t begin = root.edges.load();
    for (std::uint32_t i = begin; i < begin + root.edge_count; ++i) {
        const mcts::Edge& edge = arena.edge(i);
        const mcts::Node* below = arena.below(edge);
        const mcts::Proof proof = below ? below->proof.load() : mcts::Proof();
        high = std::max(high, proof.high());
        if (proof.low() < out.result) continue;
        if (proof.low() > out.result) out.by.clear();
        out.result = proof.low();
        if (proof.is_exact()) out.by.push_back(&edge);
    }
    out.is = out.result >= high && !out.by.empty();
    return out;
}

// The result of a tree with nothing in flight whose root has moves.
template <class Forest>
Found found_at(const Forest& forest, std::size_t tree) {
    const mcts::Node& root = forest.root(tree);
    const auto& state = forest.state(tree);
    const float sign = state.to_move() == 0 ? 1.0f : -1.0f;
    Found out;
    out.draw = root.draw.load();
    out.win = std::clamp(1 - static_cast<float>(root.mean()) - out.draw / 2, 0.0f, 1.0f);
    out.score = sign * root.margin.load();
    out.policy = forest.policy(tree);
    double total = 0;
    for (const auto& [move, share] : forest.target(tree)) {
        out.target.emplace_back(move, static_cast<float>(share));
        total += share;
    }
    if (total <= 0 && out.policy.size() == out.target.size())  // nothing but the root was visited
        for (std::size_t i = 0; i < out.target.size(); ++i) out.target[i].second = static_cast<float>(out.policy[i]);
    out.best = forest.best(tree);
    const Settled proved = settled(forest.arena(tree), root);
    if (!proved.is) return out;
    out.win = proved.result > 0 ? 1 : 0;
    out.draw = proved.result == 0 ? 1 : 0;
    out.score = sign * forest.arena(tree).below(*proved.by.front())->margin.load();
    if (proved.result < 0) return out;  // lost: what the search tried is as good as anything
    out.best = state.to_dense(proved.by.front()->move);
    for (auto& [move, share] : out.target) {
        const auto reaches = [&](const mcts::Edge* edge) { return state.to_dense(edge->move) == move; };
        share =
            std::any_of(proved.by.begin(), proved.by.end(), reaches) ? 1.0f / static_cast<float>(proved.by.size()) : 0;
    }
    return out;
}

}  // namespace tengen::selfplay
