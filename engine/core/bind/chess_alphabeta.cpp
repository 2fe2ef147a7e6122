// Chess's alpha-beta search, and what its evaluations say.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/bind.hpp"
#include "core/bind/search_binding.hpp"
#include "core/chess/alphabeta.hpp"
#include "core/chess/endings.hpp"
#include "core/chess/network.hpp"
#include "core/chess/tablebases.hpp"
#include "core/chess/tables.hpp"

namespace nb = nanobind;

namespace tengen::bind {
namespace {

using Squares = std::uint64_t;
using Sets = std::tuple<Squares, Squares, Squares, Squares, Squares, Squares, Squares, Squares>;
using Asked = nb::typed<nb::callable, std::optional<int>(Sets, bool, int)>;

// Python's `ask` as the search calls it: from any thread, which holds no lock of Python's.
chess::Tablebases::Ask asking(nb::callable ask) {
    const std::shared_ptr<nb::callable> held(new nb::callable(std::move(ask)), [](nb::callable* own) {
        if (!Py_IsInitialized()) return;
        const nb::gil_scoped_acquire lock;
        delete own;
    });
    return [held](const chess::Board& board) -> std::optional<int> {
        const nb::gil_scoped_acquire lock;
        try {
            const Sets sets(board.of(chess::kWhite), board.of(chess::kBlack), board.kind(chess::kPawn),
                            board.kind(chess::kKnight), board.kind(chess::kBishop), board.kind(chess::kRook),
                            board.kind(chess::kQueen), board.kind(chess::kKing));
            const nb::object said = (*held)(sets, board.to_move() == chess::kWhite, board.en_passant());
            if (said.is_none()) return std::nullopt;
            return std::clamp(nb::cast<int>(said), -1, 1);
        } catch (const std::exception&) {  // the search goes on without
            return std::nullopt;
        }
    };
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_chess_alphabeta(nb::module_& module) {
    nb::class_<chess::Tablebases>(module, "ChessTablebases", "Endgame tables that a search asks, with what they said.")
        .def(
            "__init__",
            [](chess::Tablebases* self, bind::Asked ask, int pieces) {
                new (self) chess::Tablebases(bind::asking(std::move(ask)), pieces);
            },
            nb::arg("ask"), nb::arg("pieces"),
            "ask(sets, is_white_to_move, en_passant): sets of squares of White, Black, pawns, knights, bishops, rooks,\n"
            "queens, kings, and a square, -1 for none; 1: the side to move wins, 0: a draw, -1: it loses, None: no table knows.\n"
            "It is called from threads of searches. pieces: the most on a board that some table has.");
    bind::bind_search<chess::AlphaBetaFamily>(module, "ChessAlphaBeta")
        .def(
            "use_tablebases",
            [](search::NativeSearch<chess::AlphaBetaFamily>& self, std::shared_ptr<chess::Tablebases> tablebases) {
                const nb::gil_scoped_release release;
                self.use_tablebases<chess::Tablebases>(std::move(tablebases));
            },
            nb::arg("tablebases").none(), "Endgame tables to ask inside the search from the next run on; None: none.");
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
