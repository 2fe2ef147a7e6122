// The settings of an alpha-beta search.
#pragma once

#include <string>
#include <vector>

#include "core/alphabeta/constants.hpp"
#include "core/search/options.hpp"

namespace tengen::alphabeta {

struct Settings {
    double threads = 1;
    double memory_mb = 256;
    double lines = 1;
    double selectivity = kLevels;
    double depth = 0;
    Tuning tuning;
    unsigned parts = kAlways;  // Parts of the game's position; no option: they say which options there are

    void list(std::vector<OptionView>& out) const;
    // False for a name that is none of these. Throws std::invalid_argument for a value that does not fit.
    bool set(const std::string& name, const OptionValue& value);
    // Whether a search made with the other settings can go on with these.
    bool fits(const Settings& other) const { return memory_mb == other.memory_mb; }
};

inline constexpr Option<Settings> kOptions[] = {
    {"threads", &Settings::threads, 1, 256, "search threads", Kind::whole},
    {"memory_mb", &Settings::memory_mb, 0, 1048576,
     "size of the transposition table in megabytes, 0: none; set before the first run"},
    {"lines", &Settings::lines, 1, 256, "how many best moves are searched exactly", Kind::whole},
    {"depth", &Settings::depth, 0, 255, "plies to look ahead at most; 0: no bound", Kind::whole},
};
// Beside kProbCut.
inline constexpr Option<Settings> kProbCutOptions[] = {
    {"selectivity", &Settings::selectivity, 0, kLevels,
     "how much is left out that a shallow search thinks hopeless; 0: nothing", Kind::whole},
};

inline void Settings::list(std::vector<OptionView>& out) const {
    append_options<Settings>(*this, kOptions, out);
    if (parts & kProbCut) append_options<Settings>(*this, kProbCutOptions, out);
    append_options<Tuning>(tuning, constants_of(parts), out);
}
inline bool Settings::set(const std::string& name, const OptionValue& value) {
    return set_option<Settings>(*this, kOptions, name, value) ||
           ((parts & kProbCut) && set_option<Settings>(*this, kProbCutOptions, name, value)) ||
           set_option<Tuning>(tuning, constants_of(parts), name, value);
}

}  // namespace tengen::alphabeta
