// The priority of a move by PUCT: its mean, and its probability the more the less it was visited (Rosin 2011; Silver et
// al. 2016). KataGo's methods (its page on methods) add: a move without visits starts below its parent, where it
// is asked for the further the more of the policy was visited ("first play urgency"); the constant grows with the
// logarithm of the visits, and with how far the values of the node scatter; visits weigh by how sure the evaluator was;
// and a share of what counts is how many points a move leads by.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/arena.hpp"
#include "core/mcts/awaited.hpp"
#include "core/mcts/root_settings.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct PuctSettings : RootSettings {
    double c = 0.0;
    double c_log = 0.0;
    double c_base = 500;
    double c_spread = 0.0;
    double spread = 0.2;
    double fpu_reduction = 0.2;
    double root_fpu_reduction = 0.2;
    double fpu_by_policy = 0;
    double score_utility = 0.0;
    double uncertainty = 0.0;
    double most_weight = 8;
    double bias = 0;
    double lcb = 0;
    double virtual_loss = 1;

    // Not options: the search keeps them up. Points are compared with how far its root leads, in units of `points`, where
    // the evaluator says any.
    float root_margin = 0, points = 1;
    bool has_points = true;
};

inline constexpr Option<PuctSettings> kPuctOptions[] = {
    {"c", &PuctSettings::c, 0, 10, "exploration constant of PUCT, in chances to win"},
    {"c_log", &PuctSettings::c_log, 0, 10, "how fast it grows with the logarithm of the visits"},
    {"c_base", &PuctSettings::c_base, 1, 1e9, "visits from which on it grows"},
    {"fpu_reduction", &PuctSettings::fpu_reduction, 0, 1, "how far below its parent a child without visits starts"},
    {"root_fpu_reduction", &PuctSettings::root_fpu_reduction, 0, 1, "the same at the root"},
    {"fpu_by_policy", &PuctSettings::fpu_by_policy, 0, 1, "times the root of how much of the policy was visited",
     Kind::check},
    {"score_utility", &PuctSettings::score_utility, 0, 1,
     "share of the score, against win or loss, in what is searched for"},
    {"lcb", &PuctSettings::lcb, 0, 100,
     "play the move that is best so many standard errors below its mean, among those with enough visits; 0: the most visited"},
};

// Options for evaluators that are awaited, whose nodes have a Spread.
inline constexpr Option<PuctSettings> kSpreadOptions[] = {
    {"c_spread", &PuctSettings::c_spread, 0, 1,
     "how far c follows the spread of the values of a position; 0: not at all"},
    {"spread", &PuctSettings::spread, 0.01, 1, "the spread (standard deviation of chances to win) that is expected"},
    {"uncertainty", &PuctSettings::uncertainty, 0, 10,
     "error of the network at which a visit weighs about 1, where it says its error; 0: all weigh 1"},
    {"virtual_loss", &PuctSettings::virtual_loss, 0, 1,
     "how far a visit on its way counts as lost to whoever chooses meanwhile"},
    {"bias", &PuctSettings::bias, 0, 1,
     "how far the errors that the network made near a last move correct what it says of positions alike there"},
    {"most_weight", &PuctSettings::most_weight, 1, 100, "what a visit weighs at most, when the network is sure"},
};

// Convert points into a share of a win, -1 to 1: 1/2 at `points` beyond the root's lead.
inline float squashed(float x) { return x / (1 + std::abs(x)); }

// Combine a chance to win and a lead (+ = player 0) into the value for `player`.
inline double with_lead(const PuctSettings& settings, double win, float margin, int player) {
    const double share = settings.has_points ? settings.score_utility : 0;
    const float ahead = (player == 0 ? 1.0f : -1.0f) * (margin - settings.root_margin) / settings.points;
    return (1 - share) * win + share * (0.5 + 0.5 * static_cast<double>(squashed(ahead)));
}

class Puct {
public:
    using Settings = PuctSettings;
    // `excluded`: null but at the root. `player`: whose move it is.
    template <class Moves>
    Puct(const Settings& settings, const Arena& arena, const Node& node, const Moves* excluded, int player)
        : arena_(arena),
          share_(settings.has_points ? static_cast<float>(settings.score_utility) : 0.0f),
          root_margin_(settings.root_margin),
          per_point_((player == 0 ? 1.0f : -1.0f) / settings.points),
          virtual_loss_(static_cast<float>(settings.virtual_loss)) {
        const double n = weight_of(node);
        double c = settings.c;
        if (settings.c_log > 0) c += settings.c_log * std::log((n + settings.c_base) / settings.c_base);
        if (settings.c_spread > 0)
            c *= 1 + settings.c_spread * (spread_of(node, settings.spread) / settings.spread - 1);
        scale_ = static_cast<float>(c * std::sqrt(n)) * (1 - share_);
        const double won = static_cast<double>(node.value.load(std::memory_order_relaxed)) / Node::kUnit;
        const double counted = node.visits.load(std::memory_order_relaxed) +
                               settings.virtual_loss * node.in_flight.load(std::memory_order_relaxed);
        const double mean = 1.0 - (counted > 0 ? won / counted : 0.5);
        const double parent =
            share_ > 0 && counted > 0 ? (1 - share_) * mean + static_cast<double>(share_ * lead(node)) : mean;
        const double reduction = excluded ? settings.root_fpu_reduction : settings.fpu_reduction;
        const double below =
            reduction > 0 ? reduction * (settings.fpu_by_policy != 0 ? std::sqrt(visited_mass(node, excluded)) : 1) : 0;
        first_value_ = static_cast<float>(std::max(0.0, parent - below));
    }

    // The priority of a move with `n` visits, those in flight among them, that won `sum`; `below`: where it leads, if
    // it was visited.
    float operator()(const Edge&, Prior prior, float n, float sum, const Node* below) const {
        if (n <= 0 || !below) return first_value_ + scale_ * prior.wins;
        return mean(n, sum, *below) + bonus(prior.wins, static_cast<float>(weight_of(*below)));
    }
    // Its mean result; visits in flight are lost by the share `virtual_loss`.
    float mean(float n, float sum, const Node& below) const {
        const float counted = static_cast<float>(below.visits.load(std::memory_order_relaxed));
        if (counted <= 0) return (1 - virtual_loss_) * first_value_;
        const float in_flight = n - counted, weight = static_cast<float>(weight_of(below)) - in_flight;
        const float share = weight / (weight + virtual_loss_ * in_flight);
        const float value = sum / counted;
        return share * (share_ > 0 ? (1 - share_) * value + share_ * lead(below) : value);
    }
    float bonus(float prior, float weight) const { return scale_ * prior / (1 + weight); }

private:
    static constexpr double kPriorWeight = 2;  // of the spread that is expected, in visits

    // Weight of the visits of a node, those in flight counting 1.
    double weight_of(const Node& node) const {
        const Spread* spread = arena_.spread(node);
        if (!spread) return node.started();
        return static_cast<double>(spread->weight.load(std::memory_order_relaxed)) +
               node.in_flight.load(std::memory_order_relaxed);
    }
    // Standard deviation of the values of a node, with what is expected as a prior.
    double spread_of(const Node& node, double expected) const {
        const Spread* spread = arena_.spread(node);
        const double weight = spread ? static_cast<double>(spread->weight.load(std::memory_order_relaxed)) : 0;
        if (weight <= 1) return expected;
        const double mean = node.mean(),
                     square =
                         std::max(static_cast<double>(spread->square.load(std::memory_order_relaxed)), mean * mean);
        const double all = (mean * mean + expected * expected) * kPriorWeight + square * weight;
        return std::sqrt(std::max(0.0, all / (kPriorWeight + weight - 1) - mean * mean));
    }
    // The share of the policy of the moves that were visited.
    template <class Moves>
    double visited_mass(const Node& node, const Moves* excluded) const {
        double mass = 0;
        const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
        for (std::uint32_t i = begin; i < begin + node.edge_count; ++i) {
            const Edge& edge = arena_.edge(i);
            if (!edge.node.load(std::memory_order_relaxed) || (excluded && (*excluded)[edge.move])) continue;
            mass += static_cast<double>(std::bit_cast<float>(edge.prior));
        }
        return std::min(mass, 1.0);
    }
    // The player's lead at a node, beyond the root's lead, from 0 to 1.
    float lead(const Node& node) const {
        return 0.5f + 0.5f * squashed((node.margin.load(std::memory_order_relaxed) - root_margin_) * per_point_);
    }

    const Arena& arena_;
    float share_, root_margin_, per_point_, virtual_loss_;
    float scale_, first_value_;
};

// The weight of an answer by the network's certainty (KataGo's uncertainty weighting); `ahead`: points beyond the
// root's lead.
inline float weight_of(const PuctSettings& settings, const AnswerFacts& answer, float ahead) {
    if (settings.uncertainty <= 0 || !answer.has_errors) return 1;
    const double share = settings.score_utility, points = static_cast<double>(settings.points);
    const double slope = 1 / std::pow(1 + std::abs(static_cast<double>(ahead)) / points, 2);
    const double error = (1 - share) * static_cast<double>(answer.value_error) +
                         share * slope * static_cast<double>(answer.score_error) / points;
    return static_cast<float>(settings.uncertainty / (error + settings.uncertainty / settings.most_weight));
}

}  // namespace tengen::mcts
