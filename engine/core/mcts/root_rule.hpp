// The rule of a search's root: temperature and noise on its policy, forced visits and the target that is pruned of them
// (Wu 2019, "Accelerating self-play learning in Go"), or Gumbel (gumbel.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/mcts/arena.hpp"
#include "core/mcts/gumbel.hpp"
#include "core/mcts/noise.hpp"
#include "core/mcts/prior.hpp"
#include "core/mcts/puct.hpp"

namespace tengen::mcts {

// A move of the root as pruning sees it: what it wins in the mean, and the visits it got.
struct Visited {
    double prior = 0, value = 0;
    std::uint32_t visits = 0;
};

inline double forced_visits(double forced, double prior, double total) { return std::sqrt(forced * prior * total); }

// Visits without those that were only forced: every move but the most visited loses up to so many, as long as PUCT,
// `scale` x prior / (1 + visits) above its mean, would still not have preferred it; one that is left with one loses it.
inline std::vector<std::uint32_t> pruned(const std::vector<Visited>& moves, double forced, double scale) {
    std::vector<std::uint32_t> out;
    std::size_t best = 0;
    double total = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        out.push_back(moves[i].visits);
        total += moves[i].visits;
        if (moves[i].visits > moves[best].visits) best = i;
    }
    for (std::size_t i = 0; i < moves.size() && forced > 0; ++i) {
        if (i == best || !moves[i].visits) continue;
        const double bar = moves[best].value + scale * moves[best].prior / (1 + moves[best].visits);
        const auto most = static_cast<std::uint32_t>(forced_visits(forced, moves[i].prior, total));
        while (out[i] > 0 && moves[i].visits - out[i] < most && moves[i].value + scale * moves[i].prior / out[i] < bar)
            --out[i];
        if (out[i] == 1 && moves[i].visits > 1) out[i] = 0;
    }
    return out;
}

// One thread searches by it; `best` and `target` may be asked by any.
class RootRule {
public:
    // A new run; of so many simulations below the root at most, 0: nobody knows, and then Gumbel is not used.
    void begin(const PuctSettings& settings, std::uint64_t simulations, std::uint64_t seed) {
        const std::lock_guard lock(mutex_);
        settings_ = settings;
        simulations_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(simulations, kMostSimulations));
        is_gumbel_ = settings.gumbel != 0 && simulations_ > 0;
        random_ = Random(seed);
        logits_.clear();
    }
    void configure(const PuctSettings& settings) {
        const std::lock_guard lock(mutex_);
        settings_ = settings;
    }
    bool is_gumbel() const { return is_gumbel_; }

    // Take the evaluator's answer for the root: logits in the order of its edges, the value for who moves there, 0..1.
    // The edges get their priors anew.
    void learn(Arena& arena, Node& root, std::span<const double> logits, double value) {
        const std::lock_guard lock(mutex_);
        logits_.assign(logits.begin(), logits.end());
        value_ = value;
        for (double& one : logits_) one /= settings_.root_temperature;
        std::vector<double> policy = softmax(logits_);
        if (settings_.noise > 0 && !is_gumbel()) {
            const auto noise = dirichlet_sample(noise_shape(policy, settings_.noise_concentration), random_);
            for (std::size_t i = 0; i < policy.size(); ++i) policy[i] += settings_.noise * (noise[i] - policy[i]);
        }
        const std::uint32_t begin = root.edges.load(std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < root.edge_count; ++i)
            arena.edge(begin + i).prior = std::bit_cast<std::uint32_t>(static_cast<float>(policy[i]));
        gumbels_.clear();
        for (std::size_t i = 0; is_gumbel() && i < policy.size(); ++i) gumbels_.push_back(gumbel_sample(random_));
        order_.clear();
    }

    // The edge that the next simulation goes along; 0: as PUCT chooses.
    template <class Moves>
    std::uint32_t next(const Arena& arena, const Node& root, const Moves& excluded) {
        const std::lock_guard lock(mutex_);
        if (logits_.size() != root.edge_count) return 0;
        if (!is_gumbel()) return settings_.forced > 0 ? forced(arena, root, excluded) : 0;
        std::vector<std::uint32_t> edges;
        const auto moves = gumbel_moves(arena, root, excluded, edges);
        if (order_.empty())
            order_ = halving_order(
                static_cast<std::uint32_t>(std::min(settings_.considered, static_cast<double>(moves.size()))),
                simulations_);
        std::size_t started = 0;
        for (const GumbelMove& move : moves) started += move.started;
        if (started >= order_.size()) return 0;
        const int found = best_of(moves, order_[started], value_, settings_.c_visit, settings_.c_scale);
        return found < 0 ? 0 : edges[static_cast<std::size_t>(found)];
    }

    // The edge of the move to play, 0: as any search chooses.
    template <class Moves>
    std::uint32_t best(const Arena& arena, const Node& root, const Moves& excluded) const {
        const std::lock_guard lock(mutex_);
        if (!is_gumbel() || logits_.size() != root.edge_count || logits_.empty()) return 0;
        std::vector<std::uint32_t> edges;
        auto moves = gumbel_moves(arena, root, excluded, edges);
        std::uint32_t most = 0;
        for (GumbelMove& move : moves) most = std::max(most, move.started = move.visits);
        const int found = best_of(moves, most, value_, settings_.c_visit, settings_.c_scale);
        return found < 0 ? 0 : edges[static_cast<std::size_t>(found)];
    }

    // The policy of the root that a network should learn: (native move, share) of every move that it may play. By
    // Gumbel the improved policy, else visits, pruned of those that were forced.
    template <class Moves>
    std::vector<std::pair<int, double>> target(const Arena& arena, const Node& root, const Moves& excluded,
                                               int player) const {
        const std::lock_guard lock(mutex_);
        std::vector<std::uint32_t> edges;
        std::vector<double> shares;
        if (is_gumbel() && logits_.size() == root.edge_count) {
            const auto moves = gumbel_moves(arena, root, excluded, edges);
            shares = improved_policy(moves, value_, settings_.c_visit, settings_.c_scale);
        } else {
            shares = visit_shares(arena, root, excluded, player, edges);
        }
        std::vector<std::pair<int, double>> out;
        for (std::size_t i = 0; i < edges.size(); ++i) out.emplace_back(arena.edge(edges[i]).move, shares[i]);
        return out;
    }
    // The evaluator's policy for the root's moves, before temperature and noise, in the order of its edges.
    std::vector<double> policy() const {
        const std::lock_guard lock(mutex_);
        if (logits_.empty()) return {};
        std::vector<double> raw = logits_;
        for (double& one : raw) one *= settings_.root_temperature;
        return softmax(raw);
    }
    const std::vector<double>& gumbels() const { return gumbels_; }

private:
    static constexpr std::uint64_t kMostSimulations = 1 << 24;

    template <class Moves, class Visit>
    static void for_each(const Arena& arena, const Node& root, const Moves& excluded, const Visit& visit) {
        const std::uint32_t begin = root.edges.load(std::memory_order_acquire);
        for (std::uint32_t i = begin; begin > Node::kExpanding && i < begin + root.edge_count; ++i)
            if (!excluded[arena.edge(i).move]) visit(i, arena.edge(i), arena.below(arena.edge(i)));
    }
    static double prior_of(const Edge& edge) { return static_cast<double>(std::bit_cast<float>(edge.prior)); }

    template <class Moves>
    std::uint32_t forced(const Arena& arena, const Node& root, const Moves& excluded) const {
        double total = 0;
        for_each(arena, root, excluded,
                 [&](std::uint32_t, const Edge&, const Node* below) { total += below ? below->started() : 0; });
        std::uint32_t found = 0;
        for_each(arena, root, excluded, [&](std::uint32_t i, const Edge& edge, const Node* below) {
            if (found || !below || !below->started() || !below->proof.load(std::memory_order_relaxed).says_nothing())
                return;
            if (below->started() < forced_visits(settings_.forced, prior_of(edge), total)) found = i;
        });
        return found;
    }

    template <class Moves>
    std::vector<GumbelMove> gumbel_moves(const Arena& arena, const Node& root, const Moves& excluded,
                                         std::vector<std::uint32_t>& edges) const {
        std::vector<GumbelMove> out;
        const std::uint32_t begin = root.edges.load(std::memory_order_acquire);
        for_each(arena, root, excluded, [&](std::uint32_t i, const Edge&, const Node* below) {
            edges.push_back(i);
            const std::size_t at = i - begin;
            GumbelMove move{logits_[at], gumbels_[at]};
            if (below) move = {logits_[at], gumbels_[at], below->visits.load(), below->started(), below->mean()};
            out.push_back(move);
        });
        return out;
    }

    template <class Moves>
    std::vector<double> visit_shares(const Arena& arena, const Node& root, const Moves& excluded, int player,
                                     std::vector<std::uint32_t>& edges) const {
        std::vector<Visited> moves;
        if (!root.has_edges()) return {};
        const Puct worth(settings_, arena, root, &excluded, player);
        for_each(arena, root, excluded, [&](std::uint32_t i, const Edge& edge, const Node* below) {
            edges.push_back(i);
            Visited move{prior_of(edge), 0, below ? below->visits.load() : 0};
            if (move.visits)
                move.value = static_cast<double>(worth.mean(static_cast<float>(below->started()),
                                                            static_cast<float>(below->mean() * move.visits), *below));
            moves.push_back(move);
        });
        const auto visits = pruned(moves, settings_.forced, static_cast<double>(worth.bonus(1, 0)));
        double total = 0;
        for (const std::uint32_t n : visits) total += n;
        std::vector<double> out;
        for (const std::uint32_t n : visits) out.push_back(total > 0 ? n / total : 0);
        return out;
    }

    PuctSettings settings_;
    std::uint32_t simulations_ = 0;
    bool is_gumbel_ = false;  // of the present run, whatever is set meanwhile
    Random random_;
    std::vector<double> logits_, gumbels_;  // in the order of the root's edges
    double value_ = 0.5;
    std::vector<std::uint32_t> order_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::mcts
