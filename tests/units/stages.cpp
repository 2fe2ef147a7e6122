// What a search with a stage does: the shares alone, what was found over a report, a search and a stage that follow a
// script, and Gomoku's search of fours as a stage before uniform playouts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/gomoku/family.hpp"
#include "core/reversi/state.hpp"
#include "core/search/findings.hpp"
#include "core/search/stage_policy.hpp"
#include "core/search/staged.hpp"

namespace nb = nanobind;
using namespace tengen;
using search::Bounds;
using search::Found;
using search::Line;
using search::Report;

namespace {

using Lines = std::vector<std::tuple<int, std::uint64_t, double, int, std::string, double, std::vector<int>>>;

// (move, visits, win, proof, bound, score, variation) of each line.
Lines shown(const Report& report) {
    Lines out;
    for (const Line& line : report.lines)
        out.emplace_back(line.move, line.visits, line.win, line.proof, search::name_of(line.bound), line.score,
                         line.pv);
    return out;
}

// A report whose lines are these moves, each once visited, with a variation of two.
Report report_of(const std::vector<int>& moves) {
    Report out;
    for (const int move : moves) {
        Line& line = out.lines.emplace_back();
        line.move = move;
        line.visits = 1;
        line.pv = {move, 99};
    }
    return out;
}

std::tuple<double, double, Lines> laid_over(const std::vector<Found>& found, const std::vector<int>& moves) {
    search::Findings findings;
    for (const Found& one : found) findings.add(one);
    Report report = report_of(moves);
    findings.lay_over(report);
    return {report.win, report.score, shown(report)};
}

// What the scripted search and stage do, and what they were asked: the script of a test and its log.
struct Script {
    std::vector<Found> found;  // told one by one, a unit of work after each
    double expected = 0, memory_mb = 0;
    int stop_after = -1;  // the run is stopped once so many were told
    std::vector<int> lines;
    search::StopToken stop;
    std::vector<std::string> log;
    void note(const std::string& text) { log.push_back(text); }
};
Script* script = nullptr;

struct ScriptFamily {
    using Root = reversi::State;
    struct Settings {
        double memory_mb = 64;
    };
    struct EvaluatorSettings {};
};

std::string words(double number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

class ScriptSearch final : public search::AnySearch<ScriptFamily> {
public:
    explicit ScriptSearch(double memory_mb) { script->note("memory " + words(memory_mb)); }
    bool fits(const reversi::State&) const override { return true; }
    void configure(const ScriptFamily::Settings& settings, const ScriptFamily::EvaluatorSettings&) override {
        script->note("memory " + words(settings.memory_mb));
    }
    void run(const reversi::State&, const search::RootFacts&, const Bounds& bounds, const search::StopToken&) override {
        playouts_ = bounds.playouts;
        script->note("search " + std::to_string(bounds.playouts));
    }
    Report report(int, bool) const override {
        Report out = report_of(script->lines);
        out.playouts = playouts_;
        return out;
    }

private:
    std::uint64_t playouts_ = 0;
};

class ScriptStage {
public:
    using Settings = ScriptFamily::EvaluatorSettings;
    static constexpr search::WorkRates kRates{.a_second = 1000, .a_playout = 1};
    explicit ScriptStage(double memory_mb) { script->note("stage's memory " + words(memory_mb)); }
    double memory_mb() const { return script->memory_mb; }
    static double expected_work(const reversi::State&, const search::RootFacts&, const Settings&) {
        return script->expected;
    }
    void ask(const reversi::State&, const search::Question& question) {
        std::string text = question.best_alone ? "stage, the best of" : "stage, all of";
        for (const int move : question.moves) text += " " + std::to_string(move);
        script->note(text);
        int told = 0;
        for (const Found& found : script->found) {
            if (question.is_over(100.0 * told)) return script->note("over after " + std::to_string(told));
            question.tell(found);
            if (++told == script->stop_after) script->stop.stop();
        }
    }
};

// The log of a run, its playouts and its lines.
std::tuple<std::vector<std::string>, std::uint64_t, Lines> played(Script given, const Bounds& bounds,
                                                                  const std::vector<int>& avoid) {
    script = &given;
    search::StagedSearch<ScriptFamily, ScriptStage> staged(
        {}, {}, [](const auto& settings) { return std::make_unique<ScriptSearch>(settings.memory_mb); });
    search::RootFacts facts;
    facts.avoid = avoid;
    staged.run(reversi::State(), facts, bounds, given.stop);
    const Report report = staged.report(0, false);
    return {given.log, report.playouts, shown(report)};
}

// Gomoku's search of fours before any search: twice the positions each time it is asked back.
template <int N>
class FoursStage {
public:
    using Settings = gomoku::TacticalSettings;
    using Root = gomoku::State<gomoku::kLargest>;
    static constexpr search::WorkRates kRates{.a_second = 1e6, .a_playout = 20};
    explicit FoursStage(double) {}
    double memory_mb() const { return 0; }
    static double expected_work(const Root& root, const search::RootFacts&, const Settings& settings) {
        return root.is_terminal() ? 0 : settings.root_four_search;
    }
    void ask(const Root& root, const search::Question& question) {
        const gomoku::TacticalState<N> state(root);
        double work = 0;
        for (int positions = 64; !question.is_over(work); positions *= 2) {
            const int move = fours_.winning_move(state, positions);
            work += positions;
            const int dense = move < 0 ? -1 : state.to_dense(move);
            const auto& moves = question.moves;
            if (std::find(moves.begin(), moves.end(), dense) != moves.end())
                return question.tell({dense, 1, 1, search::Bound::exact, 1, {}});
            if (move >= 0 || fours_.left() >= 0) return;  // not to be played, or all fours were tried
        }
    }

private:
    gomoku::FourSearch<N> fours_;
};

// Lines and playouts of uniform playouts with the fours before them.
std::pair<Lines, std::uint64_t> fours_before_playouts(int size, const nb::bytes& stones, int to_move,
                                                      std::uint64_t playouts, const std::vector<int>& avoid) {
    using gomoku::Family, gomoku::kLargest;
    gomoku::State<kLargest> root(size, size, gomoku::Rule::kFreestyle);
    for (int dense = 0; dense < root.cells(); ++dense)
        if (const int stone = static_cast<unsigned char>(stones.c_str()[dense]))
            root.put(root.from_dense(dense), stone - 1);
    root.finish(-1, root.stones(), to_move);
    mcts::Settings settings;
    Family::defaults("uniform", settings);
    settings.seed = 1;
    using Uniform = mcts::SearchOf<Family, gomoku::State<15>, gomoku::UniformEvaluator<15>>;
    const auto staged = search::staged<Family, FoursStage<15>, Uniform>(root, settings, {});
    search::RootFacts facts;
    facts.avoid = avoid;
    staged->run(root, facts, {.playouts = playouts}, {});
    const Report report = staged->report(0, false);
    return {shown(report), report.playouts};
}

}  // namespace

void bind_stages(nb::module_& module) {
    nb::class_<Bounds>(module, "Bounds")
        .def(nb::init<>())
        .def_rw("seconds", &Bounds::seconds)
        .def_rw("playouts", &Bounds::playouts)
        .def_rw("visits", &Bounds::visits)
        .def_rw("depth", &Bounds::depth)
        .def_rw("early_stop", &Bounds::early_stop);
    nb::class_<Found>(module, "Found")
        .def("__init__",
             [](Found* made, int move, int result, double score, const std::string& bound, std::vector<int> pv) {
                 const auto kind = bound == "lower"   ? search::Bound::lower
                                   : bound == "upper" ? search::Bound::upper
                                                      : search::Bound::exact;
                 new (made) Found{move, result, score, kind, 1, std::move(pv)};
             });
    nb::class_<search::StagePlan>(module, "StagePlan")
        .def_ro("asks", &search::StagePlan::asks)
        .def_ro("first", &search::StagePlan::first)
        .def_ro("seconds_to_prove", &search::StagePlan::seconds_to_prove)
        .def_ro("seconds", &search::StagePlan::seconds)
        .def_ro("work", &search::StagePlan::work)
        .def("is_over", &search::StagePlan::is_over)
        .def("is_enough", &search::StagePlan::is_enough);
    module.def("plan_stage", [](const Bounds& bounds, double expected, double a_second, double a_playout) {
        return search::plan_stage(bounds, expected, {a_second, a_playout});
    });
    module.def("rest_of", &search::rest_of);
    module.def("laid_over", &laid_over);
    nb::class_<Script>(module, "Script")
        .def(nb::init<>())
        .def_rw("found", &Script::found)
        .def_rw("expected", &Script::expected)
        .def_rw("memory_mb", &Script::memory_mb)
        .def_rw("stop_after", &Script::stop_after)
        .def_rw("lines", &Script::lines);
    module.def("played", &played);
    module.def("fours_before_playouts", &fours_before_playouts);
}
