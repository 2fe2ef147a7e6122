// The data of analyses besides the report of a tree (core/mcts/study.hpp): bind_study<Game>(type), after bind_live.
#pragma once

#include <nanobind/stl/pair.h>

#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/live_binding.hpp"
#include "core/mcts/study.hpp"

namespace tengen::bind {

template <class Game, class Type>
void bind_study(Type& type) {
    namespace nb = nanobind;
    using Bound = BoundTree<Game>;
    type.def(
            "study", [](Bound& self, bool by_move) { self.live.tree()->study().start(by_move); },
            nb::arg("by_move") = false,
            "Keep what `sums_of` and `root_policy` tell of the answers from now on; by_move: owners for each move too.")
        .def(
            "sums_of",
            [](Bound& self, int move) {
                const mcts::Sums sums = self.live.tree()->study().of(move);
                auto [owners, scatter] = sums.ownership();
                return std::tuple(sums.count, sums.score_mean(), sums.score_stdev(), std::move(owners),
                                  std::move(scatter));
            },
            nb::arg("move") = mcts::Study::kRoot,
            "(answers, mean of the final score, its standard deviation, owners by cell, how far they scatter) below a move\n"
            "of the root, or of all; for player 0.")
        .def(
            "root_policy", [](Bound& self) { return self.live.tree()->study().policy(); },
            "Logits of the root by dense move; [] before its answer came.")
        .def(
            "visits_along",
            [](Bound& self, const std::vector<int>& line) {
                const auto tree = self.live.tree();
                return tree->visits_along(line);
            },
            nb::arg("line"), "How often each position was visited that these moves lead to.");
}

}  // namespace tengen::bind
