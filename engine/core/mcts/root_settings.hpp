// The settings of the root of a search by PUCT: what self-play explores with, and Gumbel's choice of moves.
#pragma once

#include "core/search/options.hpp"

namespace tengen::mcts {

struct RootSettings {
    double root_temperature = 1;
    double noise = 0;
    double noise_concentration = 10.83;
    double forced = 0;
    double gumbel = 0;
    double considered = 16;
    double c_visit = 50;
    double c_scale = 1;

    // Whether the root has to be asked about before its moves are searched, even if they are known.
    bool is_exploring() const { return root_temperature != 1 || noise > 0 || gumbel != 0; }
};

inline constexpr Option<RootSettings> kRootOptions[] = {
    {"root_temperature", &RootSettings::root_temperature, 0.1, 10, "of the policy at the root: above 1 flatter"},
    {"noise", &RootSettings::noise, 0, 1, "share of Dirichlet noise in the policy of the root (self-play: 0.25)"},
    {"noise_concentration", &RootSettings::noise_concentration, 0.01, 1000, "of that noise over all moves together"},
    {"forced", &RootSettings::forced, 0, 10,
     "a move of the root that was visited gets at least sqrt(this x its prior x visits) of them (self-play: 2)"},
    {"gumbel", &RootSettings::gumbel, 0, 1, "choose at the root by Gumbel and sequential halving, not by PUCT",
     Kind::check},
    {"considered", &RootSettings::considered, 1, 1024, "moves that Gumbel considers at most", Kind::whole},
    {"c_visit", &RootSettings::c_visit, 0, 1e6,
     "Gumbel: visits that count in the scale of values beside the most of a move"},
    {"c_scale", &RootSettings::c_scale, 0, 1e3, "Gumbel: scale of values against logits"},
};

}  // namespace tengen::mcts
