// The priority of a move by UCB1 on its mean, priors counted as virtual visits (Kocsis & Szepesvari 2006), and AMAF
// blended in by the RAVE schedule of Silver (Gelly & Silver 2011).
#pragma once

#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/arena.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct UctSettings {
    double c = 0.0;
    double rave_equivalence = 3000;
    double first_play_value = 10.0;
};

inline constexpr Option<UctSettings> kUctOptions[] = {
    {"c", &UctSettings::c, 0, 10, "exploration constant of UCB1"},
    {"rave_equivalence", &UctSettings::rave_equivalence, 0, 1e9,
     "visits at which AMAF and the mean weigh alike; 0: no AMAF"},
    {"first_play_value", &UctSettings::first_play_value, 0, 1000, "value of a child without visits and prior"},
};

template <bool kUsesAmaf>
class Uct {
public:
    using Settings = UctSettings;
    template <class Moves>
    Uct(const Settings& settings, const Arena&, const Node& node, const Moves*, int)
        : c2_log_(static_cast<float>(settings.c * settings.c * std::log(node.started() + 1.0))),
          inverse_k_(settings.rave_equivalence > 0 ? static_cast<float>(1.0 / settings.rave_equivalence) : 0.0f),
          first_play_(static_cast<float>(settings.first_play_value)),
          amaf_on_(kUsesAmaf && settings.rave_equivalence > 0) {}

    // The priority of a move with `n` visits, those in flight among them, that won `sum`.
    float operator()(const Edge& edge, Prior prior, float n, float sum, const Node* = nullptr) const {
        const float weight = n + prior.visits;
        const float wins = sum + prior.wins;
        float value = weight > 0 ? wins / weight : first_play_;
        if (amaf_on_) {
            const float a = static_cast<float>(edge.amaf_visits.load(std::memory_order_relaxed));
            if (a > 0) {
                const float beta = a / (a + weight + weight * a * inverse_k_);
                value += beta * (edge.amaf_value.load(std::memory_order_relaxed) / a - value);
            }
        }
        if (c2_log_ > 0 && n > 0) value += std::sqrt(c2_log_ / n);
        return value;
    }

private:
    float c2_log_, inverse_k_, first_play_;
    bool amaf_on_;
};

}  // namespace tengen::mcts
