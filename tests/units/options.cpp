// Options of the core that are text beside numbers, through a search that only keeps them; and how alpha-beta spends
// its time by its numbers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/alphabeta/time_management.hpp"
#include "core/bind/search_binding.hpp"
#include "core/chess/tuning.hpp"
#include "core/reversi/state.hpp"

namespace nb = nanobind;
using namespace tengen;

namespace {

struct KeptSettings {
    std::string path;
    int pieces = 5;
    double share = 0.5;
};
inline constexpr Option<KeptSettings> kKeptOptions[] = {
    {"path", &KeptSettings::path, 0, 0, "a folder"},
    {"pieces", &KeptSettings::pieces, 0, 7, "a whole number"},
    {"share", &KeptSettings::share, 0, 1, "a number"},
};

struct KeepingFamily {
    using Root = reversi::State;
    struct Settings {
        void list(std::vector<OptionView>&) const {}
        bool set(const std::string&, const OptionValue&) { return false; }
        bool fits(const Settings&) const { return true; }
    };
    using EvaluatorSettings = KeptSettings;
    static std::span<const Option<KeptSettings>> options() { return kKeptOptions; }
    static std::span<const EvaluatorFacts> evaluators() {
        static constexpr EvaluatorFacts kFacts[] = {{"none", "looks at nothing"}};
        return kFacts;
    }
    static void defaults(const std::string&, Settings&) {}
    static std::unique_ptr<search::AnySearch<KeepingFamily>> make(const std::string&, const Root&, const Settings&,
                                                                  const KeptSettings&) {
        return nullptr;
    }
};

// Seconds of a move after these steps (best move, its nodes, all nodes, score), by a plan and the most that it may take.
double time_of_move(const std::map<std::string, double>& values,
                    const std::vector<std::tuple<int, std::uint64_t, std::uint64_t, int>>& steps, double plan,
                    double most) {
    alphabeta::Tuning tuning = chess::kTuning;
    for (const auto& [name, value] : values)
        if (!set_option<alphabeta::Tuning>(tuning, alphabeta::constants_of(alphabeta::kAlways), name, value))
            throw nb::value_error("unknown option");
    alphabeta::TimeManager manager(tuning);
    for (const auto& [move, nodes, all, score] : steps) {
        alphabeta::RootMove best;
        best.move = move;
        best.nodes = nodes;
        best.score = score;
        manager.update(best, all);
    }
    search::Bounds bounds;
    bounds.plan = plan;
    bounds.seconds = most;
    return manager.seconds(bounds);
}

}  // namespace

void bind_options(nb::module_& module) {
    bind::bind_search<KeepingFamily>(module, "KeepingSearch");
    module.def("time_of_move", &time_of_move);
}
