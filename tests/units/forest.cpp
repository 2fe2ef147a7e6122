// Trees of three men's morris, searched in batches by a made-up evaluator that says of every position what its key
// says. test_mcts_forest.py asks it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "../toy/features.hpp"
#include "../toy/morris.hpp"
#include "core/mcts/forest.hpp"
#include "made_up.hpp"

namespace nb = nanobind;
using namespace tengen;
using Forest = mcts::Forest<toy::State, toy::MorrisV1>;

using toy::policy_of;
using toy::value_of;

namespace {

// What a tree looks like when nothing is in flight.
struct ForestReport {
    std::uint64_t answered = 0, known = 0, collisions = 0;  // simulations by how they ended
    std::uint32_t visits = 0, in_flight = 0;                // of the root; of all nodes
    double mean = 0;                                        // of the root
    int astray = 0;                                         // nodes whose visits are not one and those below
    int foreign = 0;                                        // leaves whose value is not their position's
    std::vector<int> spread;                                // visits of the root's moves
};

void answer(Forest& forest, const Forest::Batch& batch) {
    std::deque<std::array<float, toy::State::kMoveBound>> policies;
    std::vector<mcts::Answer> answers;
    for (const auto& asked : batch) {
        policies.push_back(policy_of(asked.leaf->state));
        answers.push_back({{0.5f + 0.5f * value_of(asked.leaf->state)}, policies.back()});
    }
    forest.deliver(batch, answers);
}

// Adds up what is wrong below a node: visits that do not add up, visits in flight, values of somebody else's position.
void check(const mcts::Arena& arena, const mcts::Node& node, const toy::State& state, ForestReport& report) {
    report.in_flight += node.in_flight.load();
    if (!node.has_edges()) {
        const bool is_estimate = !state.is_terminal() && node.visits.load() == 1 && !node.proof.load().is_exact();
        const double mine = 0.5 - 0.5 * static_cast<double>(value_of(state));  // for who moved here
        if (is_estimate && node.draw.load() == 0 && std::abs(node.mean() - mine) > 1e-5) ++report.foreign;
        return;
    }
    std::uint32_t below = 0;
    for (std::uint32_t i = 0; i < node.edge_count; ++i) {
        const mcts::Edge& edge = arena.edge(node.edges.load() + i);
        const mcts::Node* child = arena.below(edge);
        if (!child) continue;
        below += child->visits.load();
        check(arena, *child, state.after(edge.move), report);
    }
    report.astray += !node.proof.load().is_exact() && node.visits.load() != below + 1;
}

// So many trees until so many leaves were asked about, `room` a batch, up to `on_their_way` batches unanswered.
std::vector<ForestReport> search_forest(int trees, int answers, int room, int on_their_way) {
    std::vector<toy::State> roots(static_cast<std::size_t>(trees));
    for (int i = 0; i < trees; ++i) roots[static_cast<std::size_t>(i)].play(i % toy::State::kCells);
    mcts::Settings settings;
    settings.rule = mcts::PuctSettings{.c = 1.5, .fpu_reduction = 0.2};
    Forest forest(roots, {}, settings, 1 << 20, {});
    std::deque<Forest::Batch> waiting;
    for (int asked = 0; asked < answers;) {
        Forest::Batch batch = forest.collect(static_cast<std::size_t>(std::min(room, answers - asked)));
        asked += static_cast<int>(batch.size());
        if (batch.empty() && waiting.empty()) break;
        const bool is_stuck = batch.empty();  // until something is answered
        if (!is_stuck) waiting.push_back(std::move(batch));
        while (!waiting.empty() && (is_stuck || static_cast<int>(waiting.size()) >= on_their_way)) {
            answer(forest, waiting.front());
            waiting.pop_front();
        }
    }
    for (; !waiting.empty(); waiting.pop_front()) answer(forest, waiting.front());
    std::vector<ForestReport> out;
    for (std::size_t i = 0; i < forest.size(); ++i) {
        ForestReport report;
        const auto counts = forest.counts(i);
        const mcts::Node& root = forest.root(i);
        report.answered = counts.answered;
        report.known = counts.known;
        report.collisions = counts.collisions;
        report.visits = root.visits.load();
        report.mean = root.mean();
        check(forest.arena(i), root, forest.state(i), report);
        for (std::uint32_t e = 0; e < root.edge_count; ++e) {
            const mcts::Node* child = forest.arena(i).below(forest.arena(i).edge(root.edges.load() + e));
            report.spread.push_back(child ? static_cast<int>(child->visits.load()) : 0);
        }
        out.push_back(std::move(report));
    }
    return out;
}

}  // namespace

void bind_forest(nb::module_& module) {
    nb::class_<ForestReport>(module, "ForestReport")
        .def_ro("answered", &ForestReport::answered)
        .def_ro("known", &ForestReport::known)
        .def_ro("collisions", &ForestReport::collisions)
        .def_ro("visits", &ForestReport::visits)
        .def_ro("in_flight", &ForestReport::in_flight)
        .def_ro("mean", &ForestReport::mean)
        .def_ro("astray", &ForestReport::astray)
        .def_ro("foreign", &ForestReport::foreign)
        .def_ro("spread", &ForestReport::spread);
    module.def("search_forest", &search_forest);
}
