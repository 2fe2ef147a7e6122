// The exact solver of Reversi's endings.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <optional>
#include <tuple>

#include "core/bind/bind.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/reversi/solver.hpp"
#include "core/reversi/state.hpp"
#include "core/search/stop.hpp"

namespace nb = nanobind;

namespace tengen::bind {
namespace {

using reversi::Solver;
using reversi::State;

// (score, best move, nodes); nothing when it was stopped.
using Solved = std::optional<std::tuple<int, int, std::uint64_t>>;

// Whether Python wants something, such as an end by Ctrl-C.
bool is_signalled() {
    const nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
}

Solved solve(Solver& solver, const State& state, int alpha, int beta, const search::StopToken* stop) {
    if (alpha < Solver::kWorst || beta > Solver::kBest || alpha >= beta)
        throw nb::value_error("a window is -64 <= alpha < beta <= 64");
    const State root = state;
    const search::StopToken token = stop ? *stop : search::StopToken();
    bool is_raised = false;
    int polls = 0;
    Solved out;
    {
        const nb::gil_scoped_release release;
        solver.start([&] {
            if (++polls % 256 == 0 && is_signalled()) is_raised = true;
            return is_raised || token.is_stopped();
        });
        const int score = solver.solve(root.own(), root.enemy(), alpha, beta);
        int move = solver.best_move();
        if (move < 0 && !root.is_terminal() && !root.moves()) move = State::kPass;
        if (!solver.is_interrupted()) out.emplace(score, move, solver.nodes());
        solver.start(nullptr);
    }
    if (is_raised) throw nb::python_error();
    return out;
}

int solve_at_once(const State& state) {
    const State root = state;
    const nb::gil_scoped_release release;
    return Solver(18).solve(root.own(), root.enemy());
}

// As many entries as fit into megabytes: a power of 2.
int table_bits(double memory_mb) {
    int bits = 12;
    while (bits < 32 && Solver::table_mb(bits + 1) <= memory_mb) ++bits;
    return bits;
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_reversi_solver(nb::module_& module) {
    using namespace bind;
    nb::class_<Solver>(module, "ReversiSolver", "Solves endings of Reversi, one at a time; its table is kept.")
        .def(
            "__init__",
            [](Solver* self, int threads, double memory_mb, const std::shared_ptr<Weights>& weights) {
                if (threads < 1 || threads > 256) throw nb::value_error("there are 1 to 256 threads");
                new (self)
                    Solver(table_bits(memory_mb), weights ? reversi::PatternTables::of(weights) : nullptr, threads);
            },
            nb::arg("threads") = 1, nb::arg("memory_mb") = 64.0, nb::arg("weights") = nb::none(),
            "weights: those of the evaluator patterns; moves are ordered by them. ValueError for others.")
        .def(
            "solve", &solve, nb::arg("state"), nb::arg("alpha") = Solver::kWorst, nb::arg("beta") = Solver::kBest,
            nb::arg("stop") = nb::none(),
            "-> (score of the side to move in discs, best move, positions looked at), None when it was stopped. The "
            "score is exact within the window (alpha, beta), else a bound on that side; the move is -1 where the score "
            "is alpha or less, for a window of one, and when the game is over. Releases the GIL; Ctrl-C ends it.");
    module.def("reversi_solve", &solve_at_once, nb::arg("state"),
               "Discs by which the side to move wins with best play on both sides. Cannot be stopped: 20 empty cells "
               "take about half a second, each further one twice as long.");
}
