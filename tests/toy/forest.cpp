// Trees of three men's morris for Python, and what a test looks at in them: test_forest.py.
#include "core/bind/forest_binding.hpp"
#include "core/bind/rows_binding.hpp"

#include <tuple>

#include "features.hpp"
#include "morris.hpp"

namespace nb = nanobind;
using Bound = tengen::bind::BoundForest<toy::State, toy::MorrisV1>;

namespace {

// A node: the moves to it, visits, in flight, mean and draws for who moved into it, whether it is proved, and its moves
// with their priors.
using Row = std::tuple<std::vector<int>, std::uint32_t, std::uint32_t, double, double, bool, std::vector<int>,
                       std::vector<float>>;

void walk(const tengen::mcts::Arena& arena, const tengen::mcts::Node& node, std::vector<int>& path,
          std::vector<Row>& out) {
    std::vector<int> moves;
    std::vector<float> priors;
    const std::uint32_t begin = node.edges.load(), end = node.has_edges() ? begin + node.edge_count : begin;
    for (std::uint32_t i = begin; i < end; ++i) {
        moves.push_back(arena.edge(i).move);
        priors.push_back(tengen::mcts::unpack(tengen::mcts::Awaited(), arena.edge(i).prior).wins);
    }
    out.emplace_back(path, node.visits.load(), node.in_flight.load(), node.mean(), node.draw.load(),
                     node.proof.load().is_exact(), moves, priors);
    for (std::uint32_t i = begin; i < end; ++i)
        if (const auto* below = arena.below(arena.edge(i))) {
            path.push_back(arena.edge(i).move);
            walk(arena, *below, path, out);
            path.pop_back();
        }
}

}  // namespace

void bind_morris_forest(nb::module_& module) {
    tengen::bind::bind_forest<toy::State, toy::MorrisV1>(module, "MorrisForest");
    tengen::bind::bind_rows<toy::State, toy::MorrisV1>(module);
    module.def("walk", [](const Bound& bound, std::size_t tree) {
        std::vector<Row> out;
        std::vector<int> path;
        walk(bound.forest().arena(tree), bound.forest().root(tree), path, out);
        return out;
    });
    module.def("encode", [](const toy::State& state, std::vector<int> recent, tengen::bind::FloatsOut<3> planes,
                            tengen::bind::FloatsOut<1> numbers) {
        toy::MorrisV1::encode(state, {recent, {}}, 0, planes.data(), numbers.data());
    });
}
