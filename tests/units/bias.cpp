// A tree by hand whose values are corrected by the errors of its evaluator.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <deque>

#include "core/go/state.hpp"
#include "core/mcts/backup.hpp"

namespace nb = nanobind;
using namespace tengen;

namespace {

// Nodes from the root to the leaf by number, what is said of the leaf for player 0, its locality, its weight.
using Visit = std::tuple<std::vector<std::size_t>, double, std::uint64_t, double>;

// After these visits, the mean of each node for player 0, who is to move at the root, and what is used of what was
// said.
std::vector<std::tuple<double, double>> biased(double share, const std::vector<Visit>& visits, std::size_t nodes) {
    mcts::Biases biases(1 << 20);
    std::deque<mcts::Node> tree(nodes);
    std::deque<mcts::Spread> spreads(nodes);
    std::vector<int> movers(nodes);
    for (const auto& [path, value, locality, weight] : visits) {
        mcts::Outcome outcome;
        outcome.is_said = true;
        outcome.locality = locality;
        outcome.weight = static_cast<float>(weight);
        double below = 0;
        for (std::size_t d = path.size(); d-- > 0;) {
            mcts::Node& node = tree[path[d]];
            mcts::Spread& spread = spreads[path[d]];
            const int mover = movers[path[d]] = d % 2 ? 0 : 1;
            node.in_flight.fetch_add(1);
            mcts::count(node, &spread, mover == 0 ? value : 1 - value, outcome, true);
            if (d + 1 == path.size()) mcts::note_said(spread, biases, share, value, outcome);
            below = mcts::correct(node, spread, biases, share, mover, below);
        }
    }
    std::vector<std::tuple<double, double>> out;
    for (std::size_t i = 0; i < nodes; ++i)
        out.emplace_back(movers[i] == 0 ? tree[i].mean() : 1 - tree[i].mean(),
                         static_cast<double>(spreads[i].said.used));
    return out;
}

// Key of the board's neighbourhood after these dense moves on an empty board.
std::uint64_t locality(int size, const std::vector<int>& moves) {
    go::State<9> state(size, size, {}, 7);
    for (const int move : moves) state.play(state.from_dense(move));
    return state.locality();
}

}  // namespace

void bind_bias(nb::module_& module) {
    module.def("biased", &biased);
    module.def("locality", &locality);
}
