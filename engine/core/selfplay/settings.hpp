// The settings of self-play: how games are searched, played, ended and weighed. Names and defaults follow the methods of
// KataGo (Wu 2019, "Accelerating self-play learning in Go", and its page on methods).
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/mcts/settings.hpp"
#include "core/search/options.hpp"

namespace tengen::selfplay {

struct PlaySettings : mcts::PuctSettings {
    PlaySettings() {
        c = 0.5;
        c_log = 0.225;
        fpu_reduction = 0.1;
        root_fpu_reduction = 0;
        fpu_by_policy = 1;
        score_utility = 0.1;
        virtual_loss = 0;
        root_temperature = 1.1;
        noise = 0.25;
        forced = 2;
    }
    double visits = 64;
    double cheap_visits = 16;
    double full_share = 0.25;
    double reuse = 1;
    double temperature = 0.75;
    double last_temperature = 0.15;
    double half_life = 19;
    double opening_share = 0.04;
    double opening_temperature = 1;
    double resign = 0;
    double resign_moves = 3;
    double play_on = 0.2;
    double surprise = 0.5;
    double ends_early = 1;
    double max_moves = 0;
    double symmetries = 1;
    double leaves = 1;
    double cache_mb = 32;
};

inline constexpr Option<PlaySettings> kPlayOptions[] = {
    {"visits", &PlaySettings::visits, 2, 1e6, "of a full search, which is learned from", Kind::whole},
    {"cheap_visits", &PlaySettings::cheap_visits, 1, 1e6,
     "of a search that only goes on with the game: no noise, no weight", Kind::whole},
    {"full_share", &PlaySettings::full_share, 0, 1,
     "share of moves with a full search (playout-cap randomisation); 1: all"},
    {"reuse", &PlaySettings::reuse, 0, 1, "keep the tree from move to move, its visits count", Kind::check},
    {"temperature", &PlaySettings::temperature, 0, 10,
     "by which a move is drawn from the visits at the start; 0: the most visited"},
    {"last_temperature", &PlaySettings::last_temperature, 0, 10, "what it falls to"},
    {"half_life", &PlaySettings::half_life, 0.1, 1e6,
     "moves on 19x19 in which the difference halves; less on smaller boards"},
    {"opening_share", &PlaySettings::opening_share, 0, 1,
     "moves drawn from the raw policy at the start, as a share of the cells: on average, exponentially distributed"},
    {"opening_temperature", &PlaySettings::opening_temperature, 0.1, 10, "of that policy"},
    {"resign", &PlaySettings::resign, 0, 0.5, "resign below this expected result (win 1, draw 0.5); 0: never"},
    {"resign_moves", &PlaySettings::resign_moves, 1, 100, "own moves in a row below it", Kind::whole},
    {"play_on", &PlaySettings::play_on, 0, 1,
     "share of games that are played on in spite of it, to measure how often it is wrong"},
    {"surprise", &PlaySettings::surprise, 0, 1,
     "share of the weight of a game that goes to moves by how far the search left the policy"},
    {"ends_early", &PlaySettings::ends_early, 0, 1, "end a game when every point is decided", Kind::check},
    {"max_moves", &PlaySettings::max_moves, 0, 1e5, "after which a game is ended as it stands; 0: three a cell",
     Kind::whole},
    {"symmetries", &PlaySettings::symmetries, 0, 1, "see each position through a symmetry of its own", Kind::check},
    {"leaves", &PlaySettings::leaves, 1, 64,
     "positions of one tree on their way at once; with 1, games do not depend on who plays beside them", Kind::whole},
    {"cache_mb", &PlaySettings::cache_mb, 0, 1048576, "megabytes of answers kept for positions that come again"},
};

// Throws std::invalid_argument for an unknown name or a value out of range.
inline void set(PlaySettings& settings, const std::string& name, double value) {
    if (!set_option<PlaySettings>(settings, kPlayOptions, name, value) &&
        !set_option<mcts::PuctSettings>(settings, mcts::kPuctOptions, name, value) &&
        !set_option<mcts::PuctSettings>(settings, mcts::kSpreadOptions, name, value) &&
        !set_option<mcts::RootSettings>(settings, mcts::kRootOptions, name, value))
        throw std::invalid_argument("unknown option " + name);
}

inline std::vector<OptionView> options_of(const PlaySettings& settings) {
    std::vector<OptionView> out;
    append_options<PlaySettings>(settings, kPlayOptions, out);
    append_options<mcts::PuctSettings>(settings, mcts::kPuctOptions, out);
    append_options<mcts::PuctSettings>(settings, mcts::kSpreadOptions, out);
    append_options<mcts::RootSettings>(settings, mcts::kRootOptions, out);
    return out;
}

// The effort for a move: drawn from the policy, played cheaply, or learned from.
enum class Effort { kOpening, kCheap, kFull };

inline std::uint64_t visits_of(const PlaySettings& settings, Effort effort) {
    if (effort == Effort::kOpening) return 1;
    return static_cast<std::uint64_t>(effort == Effort::kFull ? settings.visits : settings.cheap_visits);
}

// Only what is learned from explores; Gumbel chooses at every root, since it is made for few visits.
inline mcts::Settings search_settings(const PlaySettings& settings, Effort effort) {
    mcts::PuctSettings rule = settings;
    if (effort != Effort::kFull) {
        rule.root_temperature = 1;
        rule.noise = rule.forced = 0;
    }
    if (effort == Effort::kOpening) rule.gumbel = 0;
    mcts::Settings out;
    out.rule = rule;
    return out;
}

}  // namespace tengen::selfplay
