// Reversi's alpha-beta search, and the patterns that its evaluation and who trains it share.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "core/bind/arrays.hpp"
#include "core/bind/bind.hpp"
#include "core/bind/search_binding.hpp"
#include "core/reversi/alphabeta.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/reversi/patterns.hpp"

namespace nb = nanobind;

namespace tengen::bind {
namespace {

using reversi::Indices;
using reversi::State;

std::vector<int> shown(const Indices& indices) {
    return {indices.lanes.begin(), indices.lanes.begin() + reversi::kPlaces};
}

// From move to move, as a search keeps them.
std::vector<int> indices_after(State state, const std::vector<int>& moves) {
    Indices indices = reversi::indices_of(state.discs(0), state.discs(1));
    for (const int move : moves) {
        if (!state.is_legal(move)) throw nb::value_error("an illegal move");
        if (move != State::kPass)
            reversi::update(indices, move, reversi::flips(state.own(), state.enemy(), move), state.to_move() ? -1 : 1);
        state.play(move);
    }
    return shown(indices);
}

using Place = std::tuple<int, std::vector<int>>;

std::vector<Place> places() {
    std::vector<Place> out;
    for (const auto& place : reversi::pattern_places())
        out.emplace_back(place.of, std::vector<int>(place.cells.begin(), place.cells.begin() + place.size));
    return out;
}

// The numbers of weights, for all classes one behind the other, by index + centre.
auto packed() {
    const auto& weights = reversi::PatternWeights::instance();
    std::vector<std::int32_t> all;
    for (int of = 0; of < reversi::kClasses; ++of)
        for (const std::int32_t number : weights.packed(of)) all.push_back(weights.offset(of) + number);
    auto out = make_array<std::int32_t>(all.size());
    std::copy(all.begin(), all.end(), out.data());
    return out;
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_reversi_alphabeta(nb::module_& module) {
    bind::bind_search<reversi::AlphaBetaFamily>(module, "ReversiAlphaBeta");
    module.def(
        "reversi_pattern_names",
        [] {
            std::vector<std::string> out;
            for (const auto& one : reversi::pattern_classes()) out.emplace_back(one.name);
            return out;
        },
        "What the classes of patterns are.");
    module.def("reversi_pattern_places", &bind::places, "(class, cells in the order of digits) of every place.");
    module.def("reversi_pattern_weights", &bind::packed,
               "Class after class, for every index from the least on: the number of its weight, 0 to their count - 1. "
               "Mirror images share one.");
    module.def(
        "reversi_indices",
        [](const reversi::State& state) { return bind::shown(reversi::indices_of(state.discs(0), state.discs(1))); },
        nb::arg("state"), "The index of each place, black's view, in balanced ternary.");
    module.def("reversi_indices_after", &bind::indices_after, nb::arg("state"), nb::arg("moves"),
               "The same after moves, kept up from one to the next. Raises ValueError for an illegal one.");
    using bind::Indices;
    module.def(
        "reversi_evaluation",
        [](const reversi::State& state, const std::shared_ptr<Weights>& weights) {
            const int empties = reversi::count(~(state.own() | state.enemy()));
            const Indices indices = reversi::indices_of(state.discs(0), state.discs(1));
            const int found = reversi::PatternTables::of(weights)->evaluate(indices, state.to_move() ? -1 : 1, empties);
            return static_cast<double>(found) / reversi::kDisc;
        },
        nb::arg("state"), nb::arg("weights"),
        "What patterns say of a position: discs at the end, for the side to move. Raises ValueError for other weights.");
    module.attr("REVERSI_WEIGHT_UNIT") = reversi::PatternTables::kWeightUnit;
    module.attr("REVERSI_SCORE_UNIT") = reversi::kDisc;
    using reversi::PatternNetwork;
    module.attr("REVERSI_NETWORK_WIDTH") = PatternNetwork::kWidth;
    module.attr("REVERSI_NETWORK_HIDDEN") = PatternNetwork::kHidden;
    module.attr("REVERSI_NETWORK_SUM") = PatternNetwork::kSum;
    module.attr("REVERSI_NETWORK_MATRIX") = PatternNetwork::kMatrix;
    module.attr("REVERSI_NETWORK_OUT") = PatternNetwork::kOut;
}
