// What a move is worth a visit by PUCT: its mean, and its probability the more the less it was visited (Rosin 2011;
// Silver et al. 2016). A move without visits starts below its parent ("first play urgency").
#pragma once

#include <algorithm>
#include <cmath>

#include "core/concepts.hpp"
#include "core/mcts/node.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct PuctSettings {
    double c = 0.0;
    double fpu_reduction = 0.2;
};

inline constexpr Option<PuctSettings> kPuctOptions[] = {
    {"c", &PuctSettings::c, 0, 10, "exploration constant of PUCT"},
    {"fpu_reduction", &PuctSettings::fpu_reduction, 0, 1, "how far below its parent a child without visits starts"},
};

class Puct {
public:
    using Settings = PuctSettings;
    Puct(const Settings& settings, const Node& node) {
        const std::uint32_t n = node.started();
        const double won = static_cast<double>(node.value.load(std::memory_order_relaxed)) / Node::kUnit;
        scale_ = static_cast<float>(settings.c * std::sqrt(static_cast<double>(n)));
        first_value_ = std::max(0.0f, static_cast<float>(1.0 - (n ? won / n : 0.5) - settings.fpu_reduction));
    }

    // Of a move with `n` visits, those in flight among them, that won `sum`.
    float operator()(const Edge&, Prior prior, float n, float sum) const {
        return (n > 0 ? sum / n : first_value_) + scale_ * prior.wins / (1 + n);
    }

private:
    float scale_, first_value_;
};

}  // namespace tengen::mcts
