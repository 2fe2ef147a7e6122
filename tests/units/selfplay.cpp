// Parts of self-play for tables: test_selfplay_units.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/selfplay/draw.hpp"
#include "core/selfplay/record.hpp"
#include "core/selfplay/settings.hpp"

namespace nb = nanobind;
using namespace tengen;
using namespace tengen::selfplay;

namespace {

using Given = std::map<std::string, double>;

PlaySettings settings_of(const Given& given) {
    PlaySettings settings;
    for (const auto& [name, value] : given) set(settings, name, value);
    return settings;
}

// What a search of that effort explores with: temperature and noise of the root, forced visits, Gumbel, visits.
std::vector<double> exploring(const Given& given, const std::string& effort) {
    const PlaySettings settings = settings_of(given);
    const Effort which = effort == "full" ? Effort::kFull : effort == "cheap" ? Effort::kCheap : Effort::kOpening;
    const mcts::Settings made = search_settings(settings, which);
    const auto& rule = std::get<mcts::PuctSettings>(made.rule);
    return {rule.root_temperature, rule.noise, rule.forced, rule.gumbel,
            static_cast<double>(visits_of(settings, which))};
}

// How often each index is drawn.
std::vector<int> draws(const std::vector<double>& shares, double temperature, int count) {
    Random random(7);
    std::vector<int> out(shares.size());
    for (int i = 0; i < count; ++i) ++out[draw(shares, temperature, random)];
    return out;
}

// The weights of plies with these surprises; below 0: no full search.
std::vector<float> weights(const std::vector<float>& surprises, double share) {
    std::vector<Ply> plies;
    for (const float surprise : surprises)
        plies.push_back({.is_full = surprise >= 0, .surprise = std::max(surprise, 0.0f)});
    weigh(plies, share);
    std::vector<float> out;
    for (const Ply& ply : plies) out.push_back(ply.weight);
    return out;
}

std::vector<int> openings(const Given& given, int cells, int count) {
    Random random(3);
    std::vector<int> out;
    for (int i = 0; i < count; ++i) out.push_back(opening_moves(settings_of(given), cells, random));
    return out;
}

}  // namespace

void bind_selfplay(nb::module_& module) {
    module.def("temperature_at", [](const Given& given, int moves, int cells) {
        return temperature_at(settings_of(given), moves, cells);
    });
    module.def("exploring", &exploring);
    module.def("draws", &draws);
    module.def("weights", &weights);
    module.def("divergence", &divergence);
    module.def("openings", &openings);
}
