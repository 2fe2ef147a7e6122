// One tree of three men's morris, searched by the made-up network as an evaluator that answers at once.
// test_mcts_answering.py asks it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "core/mcts/family.hpp"
#include "made_up.hpp"

namespace nb = nanobind;
using namespace tengen;

namespace {

// Counts how often it was asked.
struct Answering {
    static constexpr bool kUsesAmaf = false, kPolicyPriors = true, kMarginIsValue = true;
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);

    float answer(const toy::State& state, std::span<const int> moves, Prior* priors) const {
        ++*asked;
        const auto logits = toy::policy_of(state);
        float most = -1e30f, total = 0;
        for (const int move : moves) most = std::max(most, logits[static_cast<std::size_t>(state.to_dense(move))]);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            priors[i] = {std::exp(logits[static_cast<std::size_t>(state.to_dense(moves[i]))] - most), 0};
            total += priors[i].wins;
        }
        for (std::size_t i = 0; i < moves.size(); ++i) priors[i].wins /= total;
        const float value = 2 * (0.5f + 0.5f * toy::value_of(state)) - 1;
        return state.to_move() == 0 ? value : -value;
    }
    void add_ownership(const toy::State&, std::int32_t*) const {}
};

static_assert(LeafEvaluator<Answering, toy::State> && !SteppedEvaluator<Answering, toy::State>);

struct AnsweringReport {
    int asked = 0;  // of the evaluator
    std::uint64_t visits = 0, nodes = 0;
    double mean = 0;          // of the root, for who moved there
    std::vector<int> spread;  // visits of the root's moves by dense move
};

AnsweringReport search_answering(int first, std::uint64_t playouts, int threads, double memory_mb) {
    toy::State root;
    root.play(first);
    mcts::Settings settings;
    settings.rule = mcts::PuctSettings{.c = 1.5, .fpu_reduction = 0.2};
    settings.threads = threads;
    settings.memory_mb = memory_mb;
    settings.seed = 1;
    const Answering evaluator;
    mcts::Search<toy::State, Answering> search(root, settings, evaluator);
    search.run(root, {}, {.playouts = playouts}, {});
    const auto found = search.report(0, false);
    AnsweringReport out{evaluator.asked->load(), found.visits, found.nodes, 1 - found.win, {}};
    out.spread.resize(toy::State::kMoveBound);
    for (const auto& line : found.lines)
        out.spread[static_cast<std::size_t>(line.move)] = static_cast<int>(line.visits);
    return out;
}

}  // namespace

void bind_answering(nb::module_& module) {
    nb::class_<AnsweringReport>(module, "AnsweringReport")
        .def_ro("asked", &AnsweringReport::asked)
        .def_ro("visits", &AnsweringReport::visits)
        .def_ro("nodes", &AnsweringReport::nodes)
        .def_ro("mean", &AnsweringReport::mean)
        .def_ro("spread", &AnsweringReport::spread);
    module.def("search_answering", &search_answering, nb::arg("first"), nb::arg("playouts"), nb::arg("threads") = 1,
               nb::arg("memory_mb") = 16.0);
}
