// The settings of an alpha-beta search.
#pragma once

#include <vector>

#include "core/search/options.hpp"

namespace tengen::alphabeta {

inline constexpr int kLevels = 5;  // of selectivity, beside none

struct Settings {
    double threads = 1;
    double memory_mb = 256;
    double lines = 1;
    double selectivity = 3;
    double depth = 0;

    void list(std::vector<OptionView>& out) const;
    // False for a name that is none of these. Throws std::invalid_argument for a value out of range.
    bool set(const std::string& name, double value);
    // Whether a search made with the other settings can go on with these.
    bool fits(const Settings& other) const { return memory_mb == other.memory_mb; }
};

inline constexpr Option<Settings> kOptions[] = {
    {"threads", &Settings::threads, 1, 256, "search threads", Kind::whole},
    {"memory_mb", &Settings::memory_mb, 0, 1048576,
     "size of the transposition table in megabytes, 0: none; set before the first run"},
    {"lines", &Settings::lines, 1, 256, "how many best moves are searched exactly", Kind::whole},
    {"selectivity", &Settings::selectivity, 0, kLevels,
     "how much is left out that a shallow search thinks hopeless, where the game can say so; 0: nothing", Kind::whole},
    {"depth", &Settings::depth, 0, 255, "plies to look ahead at most; 0: no bound", Kind::whole},
};

inline void Settings::list(std::vector<OptionView>& out) const { append_options<Settings>(*this, kOptions, out); }
inline bool Settings::set(const std::string& name, double value) {
    return set_option<Settings>(*this, kOptions, name, value);
}

}  // namespace tengen::alphabeta
