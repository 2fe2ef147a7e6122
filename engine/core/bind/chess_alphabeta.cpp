// Chess's alpha-beta search, and what its evaluations say.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/bind/bind.hpp"
#include "core/bind/search_binding.hpp"
#include "core/chess/alphabeta.hpp"
#include "core/chess/endings.hpp"
#include "core/chess/network.hpp"
#include "core/chess/tables.hpp"

namespace nb = nanobind;

void tengen::bind_chess_alphabeta(nb::module_& module) {
    bind::bind_search<chess::AlphaBetaFamily>(module, "ChessAlphaBeta");
    module.def(
        "chess_evaluation",
        [](const chess::State& state, const std::shared_ptr<Weights>& weights) {
            if (weights) {
                chess::NetworkEvaluation network(chess::Network::of(weights));
                network.start(state.board());
                return static_cast<double>(network.evaluate(state.board()));
            }
            chess::TablesEvaluation tables;
            tables.start(state.board());
            return static_cast<double>(tables.evaluate(state.board()));
        },
        nb::arg("state"), nb::arg("weights") = nb::none(),
        "Centipawns for the side to move, by weights of the evaluator network or, without them, by the tables. ValueError "
        "for other weights.");
    module.def(
        "chess_ending",
        [](const chess::State& state) -> std::optional<std::tuple<std::string, int, bool, std::optional<int>>> {
            auto known = chess::known_draw(state.board());
            if (!known) known = chess::known_against_king(state.board());
            if (!known) known = chess::known_against_one(state.board());
            if (!known) return std::nullopt;
            return std::make_tuple(std::string(known->name), known->worth, known->is_drawn,
                                   chess::known_mate(state.board()));
        },
        nb::arg("state"),
        "Of an ending that is known: its name, centipawns for the side to move, whether it is drawn for certain, and "
        "half-moves to the mate where a table knows them (below 0 against the side to move). None elsewhere.");
    module.def("chess_pawn_endings_won", &chess::kpk::won_positions,
               "Positions of king and pawn against king that are won, with the pawn on one of the files a to d.");
    module.def(
        "chess_evaluation_after",
        [](const chess::State& state, const std::vector<int>& moves, const std::shared_ptr<Weights>& weights) {
            chess::Board board = state.board();
            chess::NetworkEvaluation network(chess::Network::of(weights));
            network.start(board);
            for (const int move : moves) {
                if (!chess::is_legal(board, move)) throw nb::value_error("an illegal move");
                chess::Change change;
                board.play(move, change);
                network.push(change);
            }
            return static_cast<double>(network.evaluate(board));
        },
        nb::arg("state"), nb::arg("moves"), nb::arg("weights"),
        "The same after moves, kept up from one to the next, as a search does. ValueError for an illegal one.");
}
