// What the search says of its tree: ranked lines, totals, ownership.
#pragma once

#include "core/mcts/search.hpp"

namespace tengen::mcts {

template <GameState S, LeafEvaluator<S> E>
std::vector<std::uint32_t> Search<S, E>::ranked_children(const Node& node, bool at_root) const {
    std::vector<std::uint32_t> order;
    if (!node.has_children()) return order;
    const std::uint32_t begin = node.children.load(std::memory_order_acquire);
    for (std::uint32_t i = begin; i < begin + node.child_count; ++i)
        if (!(at_root && arena_[i].excluded)) order.push_back(i);
    struct Rank {
        int proof;
        std::uint32_t visits;
        double value;
    };
    std::vector<Rank> ranks(node.child_count);  // read once: the workers go on meanwhile
    for (std::uint32_t i : order)
        ranks[i - begin] = {arena_[i].proof.load(), arena_[i].visits.load(),
                            arena_[i].mean() + 1e-3 * static_cast<double>(arena_[i].prior_value)};
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Rank &x = ranks[a - begin], &y = ranks[b - begin];
        if (x.proof != y.proof) return x.proof > y.proof;
        if (x.visits != y.visits) return x.visits > y.visits;
        if (x.value != y.value) return x.value > y.value;
        return a < b;
    });
    return order;
}

template <GameState S, LeafEvaluator<S> E>
Report Search<S, E>::report(int max_lines, bool ownership) const {
    const std::shared_lock lock(tree_mutex_);
    Report out;
    const Node& root = arena_[shared_.root];
    const int player = shared_.state.to_move();
    const float sign = player == 0 ? 1.0f : -1.0f;
    out.to_move = player;
    out.visits = root.visits.load();
    out.playouts = playouts_.load();
    out.nodes = arena_.used();
    out.hashfull = static_cast<double>(out.nodes) / static_cast<double>(arena_.capacity());
    out.seconds = running_ ? seconds() : last_seconds_;
    out.win = 1.0 - root.mean();  // the root's value is for the player who is not to move
    out.score = static_cast<double>(sign * (root.margin.load() - shared_.facts.komi_shift));
    double prior_total = 0;
    const auto order = ranked_children(root, true);
    const auto prior_of = [](const Node& n) {
        if constexpr (PolicyEvaluator<E>) return static_cast<double>(n.prior_value);
        return static_cast<double>(n.prior_visits > 0 ? n.prior_value / n.prior_visits : 1.0f);
    };
    for (std::uint32_t i : order) prior_total += prior_of(arena_[i]);
    for (std::uint32_t i : order) {
        const Node& child = arena_[i];
        const std::uint32_t visits = child.visits.load();
        if ((max_lines && static_cast<int>(out.lines.size()) >= max_lines) || (visits == 0 && !out.lines.empty()))
            break;
        Line line;
        line.move = shared_.state.to_dense(child.move);
        line.visits = visits;
        line.win = child.mean();
        line.score = static_cast<double>(sign * (child.margin.load() - shared_.facts.komi_shift));
        line.lcb = visits
                       ? std::max(0.0, line.win - 1.96 * std::sqrt(std::max(line.win * (1 - line.win), 0.01) / visits))
                       : 0.0;
        line.prior = prior_total > 0 ? prior_of(child) / prior_total : 0.0;
        line.proof = child.proof.load();
        if constexpr (Adviser<E, S>)
            if (line.proof) line.win = line.lcb = line.proof > 0 ? 1.0 : 0.0;
        S at = shared_.state;
        const Node* node = &child;
        while (true) {
            line.pv.push_back(at.to_dense(node->move));
            at.play(node->move);
            if (line.pv.size() >= 32 || at.is_terminal() || !node->has_children()) break;
            const auto replies = ranked_children(*node, false);
            if (replies.empty() || arena_[replies[0]].visits.load() == 0) break;
            node = &arena_[replies[0]];
        }
        out.lines.push_back(std::move(line));
    }
    if (ownership) {
        const float count = std::max(1.0f, static_cast<float>(shared_.owned_playouts.load()));
        for (int i = 0; i < shared_.state.cells(); ++i)
            out.ownership.push_back(sign * static_cast<float>(shared_.ownership[static_cast<std::size_t>(i)].load()) /
                                    count);
    }
    return out;
}

}  // namespace tengen::mcts
