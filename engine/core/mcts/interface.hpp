// The face of a search to the bindings: dense moves, no templates. The work is in search.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/mcts/options.hpp"

namespace tengen::mcts {

struct Settings {
    double c = 0.0;
    double rave_equivalence = 3000;
    double expand_visits = 4;
    double first_play_value = 10.0;
    double margin_weight = 0.02;
    double fpu_reduction = 0.2;
    double threads = 1;
    double memory_mb = 256;
    double seed = 0;
};

inline constexpr Option<Settings> kSettings[] = {
    {"c", &Settings::c, 0, 10, "exploration constant of UCB1"},
    {"rave_equivalence", &Settings::rave_equivalence, 0, 1e9,
     "visits at which AMAF and the mean weigh alike; 0: no AMAF"},
    {"expand_visits", &Settings::expand_visits, 1, 1e6, "the visit at which a leaf gets children; 2 is textbook UCT",
     Kind::whole},
    {"first_play_value", &Settings::first_play_value, 0, 1000, "value of a child without visits and prior"},
    {"margin_weight", &Settings::margin_weight, 0, 1, "share of the margin, against win or loss, in a result"},
    {"fpu_reduction", &Settings::fpu_reduction, 0, 1,
     "with policy priors: how far below its parent a child without visits starts"},
    {"threads", &Settings::threads, 1, 256, "search threads", Kind::whole},
    {"memory_mb", &Settings::memory_mb, 1, 1048576, "bound of the tree in megabytes; set before the first run"},
    {"seed", &Settings::seed, 0, 9007199254740992.0, "0: different every time", Kind::whole},
};

struct Bounds {  // 0: none
    double seconds = 0;
    std::uint64_t playouts = 0, visits = 0;
    bool early_stop = false;
};

struct RootFacts {
    std::vector<std::uint64_t> seen;  // repetition keys that may not recur
    std::vector<int> recent;          // dense moves, newest last
    std::vector<int> allow, avoid;    // dense moves; empty: no restriction
    float komi_shift = 0;             // added to player 0's margin

    // Whether the root may play this dense move.
    bool permits(int dense) const {
        const auto has = [dense](const std::vector<int>& list) {
            return std::find(list.begin(), list.end(), dense) != list.end();
        };
        return !has(avoid) && (allow.empty() || has(allow));
    }
};

struct Line {
    int move = -1;
    std::vector<int> pv;
    std::uint64_t visits = 0;
    double win = 0.5;  // a draw counts half
    double draw = 0;   // share of draws
    double score = 0, lcb = 0, prior = 0;
    bool is_proved = false;
    int proof = 0;          // if it is: 1 won, 0 drawn, -1 lost for the side to move at the root
    bool is_exact = false;  // the score is what best play leads to
};

struct Report {
    std::vector<Line> lines;  // best first
    int to_move = 0;
    std::uint64_t visits = 0, playouts = 0, nodes = 0;
    double seconds = 0, win = 0.5, draw = 0, score = 0, hashfull = 0;
    std::vector<float> ownership;  // -1..1 for the side to move
};

}  // namespace tengen::mcts
