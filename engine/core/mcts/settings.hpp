// The settings of a tree search: those of every tree, and those of the rule by which moves are chosen.
#pragma once

#include <variant>
#include <vector>

#include "core/mcts/puct.hpp"
#include "core/mcts/uct.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct TreeSettings {
    double expand_visits = 4;
    double margin_weight = 0.02;
    double threads = 1;
    double memory_mb = 256;
    double seed = 0;
};

inline constexpr Option<TreeSettings> kTreeOptions[] = {
    {"expand_visits", &TreeSettings::expand_visits, 1, 1e6,
     "the visit at which a leaf gets children; 2 is textbook UCT", Kind::whole},
    {"margin_weight", &TreeSettings::margin_weight, 0, 1, "share of the margin, against win or loss, in a result"},
    {"threads", &TreeSettings::threads, 1, 256, "search threads", Kind::whole},
    {"memory_mb", &TreeSettings::memory_mb, 1, 1048576, "bound of the tree in megabytes; set before the first run"},
    {"seed", &TreeSettings::seed, 0, 9007199254740992.0, "0: different every time", Kind::whole},
};

// PUCT for an evaluator whose priors are a policy, else UCT: `Family::defaults` says which.
struct Settings : TreeSettings {
    std::variant<UctSettings, PuctSettings> rule;

    void list(std::vector<OptionView>& out) const {
        if (const auto* uct = std::get_if<UctSettings>(&rule)) append_options<UctSettings>(*uct, kUctOptions, out);
        if (const auto* puct = std::get_if<PuctSettings>(&rule)) append_options<PuctSettings>(*puct, kPuctOptions, out);
        append_options<TreeSettings>(*this, kTreeOptions, out);
    }
    // False for a name that is none of these. Throws std::invalid_argument for a value out of range.
    bool set(const std::string& name, const OptionValue& value) {
        auto* uct = std::get_if<UctSettings>(&rule);
        auto* puct = std::get_if<PuctSettings>(&rule);
        return (uct && set_option<UctSettings>(*uct, kUctOptions, name, value)) ||
               (puct && set_option<PuctSettings>(*puct, kPuctOptions, name, value)) ||
               (puct && set_option<PuctSettings>(*puct, kSpreadOptions, name, value)) ||
               (puct && set_option<RootSettings>(*puct, kRootOptions, name, value)) ||
               set_option<TreeSettings>(*this, kTreeOptions, name, value);
    }
    // Whether a tree made with the other settings can go on with these.
    bool fits(const Settings& other) const { return memory_mb == other.memory_mb; }
};

}  // namespace tengen::mcts
