// What a move is worth a visit by PUCT: its mean, and its probability the more the less it was visited (Rosin 2011;
// Silver et al. 2016). A move without visits starts below its parent ("first play urgency"). The constant grows with the
// logarithm of the visits, and a share of what counts is how many points a move leads by.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/node.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct PuctSettings {
    double c = 0.0;
    double c_log = 0.0;
    double c_base = 500;
    double fpu_reduction = 0.2;
    double score_utility = 0.0;
    double lcb = 0;

    // Not an option: the search keeps it up. Points are compared with how far its root leads, in units of `points`.
    float root_margin = 0, points = 1;
};

inline constexpr Option<PuctSettings> kPuctOptions[] = {
    {"c", &PuctSettings::c, 0, 10, "exploration constant of PUCT"},
    {"c_log", &PuctSettings::c_log, 0, 10, "how fast it grows with the logarithm of the visits"},
    {"c_base", &PuctSettings::c_base, 1, 1e9, "visits from which on it grows"},
    {"fpu_reduction", &PuctSettings::fpu_reduction, 0, 1, "how far below its parent a child without visits starts"},
    {"score_utility", &PuctSettings::score_utility, 0, 1, "share of the score, against win or loss, in what is searched for"},
    {"lcb", &PuctSettings::lcb, 0, 1, "play the move that is good for sure, among those with enough visits", Kind::check},
};

class Puct {
public:
    using Settings = PuctSettings;
    // `player`: whose move it is.
    Puct(const Settings& settings, const Node& node, int player = 0)
        : share_(static_cast<float>(settings.score_utility)),
          root_margin_(settings.root_margin),
          per_point_((player == 0 ? 1.0f : -1.0f) / settings.points) {
        const std::uint32_t n = node.started();
        const double won = static_cast<double>(node.value.load(std::memory_order_relaxed)) / Node::kUnit;
        double c = settings.c;
        if (settings.c_log > 0) c += settings.c_log * std::log((n + settings.c_base) / settings.c_base);
        scale_ = static_cast<float>(c * std::sqrt(static_cast<double>(n)));
        const double mean = 1.0 - (n ? won / n : 0.5);
        first_value_ = std::max(0.0f, static_cast<float>(mean - settings.fpu_reduction));
        if (share_ > 0 && n > 0)
            first_value_ = std::max(0.0f, (1 - share_) * static_cast<float>(mean) + share_ * squashed(node) -
                                              static_cast<float>(settings.fpu_reduction));
    }

    // Of a move with `n` visits, those in flight among them, that won `sum`; `below`: where it leads, if it was visited.
    float operator()(const Edge&, Prior prior, float n, float sum, const Node* below = nullptr) const {
        return (n > 0 ? mean_of(n, sum, below) : first_value_) + scale_ * prior.wins / (1 + n);
    }

private:
    float mean_of(float n, float sum, const Node* below) const {
        if (share_ <= 0 || !below) return sum / n;
        const float counted = static_cast<float>(below->visits.load(std::memory_order_relaxed));
        return ((1 - share_) * sum + share_ * counted * squashed(*below)) / n;
    }
    // How far the player leads at a node, beyond the root's lead, from 0 to 1.
    float squashed(const Node& node) const {
        const float x = (node.margin.load(std::memory_order_relaxed) - root_margin_) * per_point_;
        return 0.5f + 0.5f * x / (1 + std::abs(x));
    }

    float share_, root_margin_, per_point_;
    float scale_, first_value_;
};

}  // namespace tengen::mcts
