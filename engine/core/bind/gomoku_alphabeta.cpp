// Gomoku's alpha-beta search, what its evaluations say, and what a network over lines sees.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/bind/arrays.hpp"
#include "core/bind/gomoku_common.hpp"
#include "core/bind/search_binding.hpp"
#include "core/gomoku/alphabeta.hpp"
#include "core/gomoku/search_position.hpp"

namespace tengen::bind {
namespace {

namespace nb = nanobind;

constexpr std::size_t kFacts = 4;
constexpr int kMostPlies = alphabeta::kMaxPly - 1;

// Settings of a position that evaluates and does not search. Throws std::invalid_argument for other weights.
gomoku::ThreatSettings quiet_settings(const std::shared_ptr<Weights>& weights) {
    gomoku::ThreatSettings settings;
    settings.vcf_root = 0;
    settings.networks = gomoku::LineNetworks::of(weights);
    return settings;
}

template <int N>
void play(gomoku::SearchPosition<N>& position, int dense) {
    const auto& board = position.board();
    if (dense < 0 || dense >= board.cells()) throw nb::value_error("off the board");
    const int cell = board.from_dense(dense);
    if (!board.is_legal(cell)) throw nb::value_error("an illegal move");
    typename gomoku::SearchPosition<N>::Undo undo;
    position.play(cell, undo);
}

double evaluation(const GomokuState& state, const std::vector<int>& moves, const std::shared_ptr<Weights>& weights) {
    const gomoku::ThreatSettings settings = quiet_settings(weights);
    if (moves.size() > kMostPlies) throw nb::value_error("more moves than a search looks ahead");
    return gomoku::with_capacity(state.width(), state.height(), [&](auto capacity) {
        gomoku::SearchPosition<decltype(capacity)::value> position(state, settings);
        int found = position.evaluate();
        for (const int move : moves) {
            play(position, move);
            found = position.evaluate();
        }
        return static_cast<double>(found);
    });
}

auto line_positions(const GomokuState& start, const std::vector<int>& moves, const std::vector<int>& plies) {
    const auto cells = static_cast<std::size_t>(start.cells());
    auto indices = make_array<std::uint16_t>(plies.size(), cells, std::size_t{2});
    auto facts = make_array<std::int32_t>(plies.size(), kFacts);
    if (moves.size() > kMostPlies) throw nb::value_error("more moves than a search looks ahead");
    gomoku::with_capacity(start.width(), start.height(), [&](auto capacity) {
        gomoku::SearchPosition<decltype(capacity)::value> position(start, quiet_settings(nullptr));
        const auto& board = position.board();
        std::size_t ply = 0;
        for (std::size_t i = 0; i < plies.size(); ++i) {
            if (plies[i] < static_cast<int>(ply) || plies[i] > static_cast<int>(moves.size()))
                throw nb::value_error("plies are in order, and none behind the last move");
            for (; static_cast<int>(ply) < plies[i]; ++ply) play(position, moves[ply]);
            for (std::size_t cell = 0; cell < cells; ++cell)
                std::copy_n(board.indices(board.from_dense(static_cast<int>(cell))).begin(), 2,
                            indices.data() + (i * cells + cell) * 2);
            const bool is_quiet = board.winner() < 0 && !position.known_mate() && !position.is_in_check();
            const int me = position.to_move();
            const std::int32_t found[kFacts] = {static_cast<std::int32_t>(position.threats(me)),
                                                static_cast<std::int32_t>(position.threats(me ^ 1)), is_quiet,
                                                position.evaluate()};
            std::copy_n(found, kFacts, facts.data() + i * kFacts);
        }
    });
    return std::pair(indices, facts);
}

}  // namespace

void bind_gomoku_alphabeta(nb::module_& module) {
    bind_search<gomoku::AlphaBetaFamily>(module, "GomokuAlphaBeta");
    module.def(
        "gomoku_evaluation", &evaluation, nb::arg("state"), nb::arg("moves") = std::vector<int>(),
        nb::arg("weights") = nb::none(),
        "Score units (300 to a unit of log probability) for the side to move after these moves, kept up from one to\n"
        "the next, as a search does; by weights of the evaluator network or, without them and for a rule that they\n"
        "lack, by the tables. ValueError for other weights and for an illegal move.");
    module.def(
        "gomoku_line_positions", &line_positions, nb::arg("start"), nb::arg("moves"), nb::arg("plies"),
        "What a network over lines sees after so many of the moves each: n x cells x 2, uint16, the indices of Black\n"
        "and of White on each cell, 0 of a stone; and n x 4, int32: the threats of the side to move and of the other\n"
        "as bits, whether it is quiet (an evaluation is asked of no other), and the evaluation by tables. ValueError\n"
        "for an illegal move and for plies that are not in order.");
}

}  // namespace tengen::bind
