// ChessState, and what rule checks count. Moves are from | to << 6 | promotion << 12, colours 0 White, 1 Black.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/bind/bind.hpp"
#include "core/chess/moves.hpp"
#include "core/chess/perft.hpp"
#include "core/chess/state.hpp"
#include "core/chess/static_exchange.hpp"

namespace nb = nanobind;

namespace tengen::bind {
namespace {

using chess::Board;
using chess::Square;
using chess::State;

int check_player(int colour) {
    if (colour != 0 && colour != 1) throw nb::value_error("a colour is 0 or 1");
    return colour;
}

// Refuses what no search can be asked about.
void check_searchable(const Board& board) {
    for (int colour = 0; colour < 2; ++colour) {
        const int kings = chess::count(board.of(colour, chess::kKing));
        if (kings != 1)
            throw nb::value_error(colour == chess::kWhite ? "White does not have exactly one king"
                                                          : "Black does not have exactly one king");
    }
    if (board.kind(chess::kPawn) & (chess::kRank1 | chess::kRank8))
        throw nb::value_error("a pawn stands on the first or last rank");
    if (board.attackers(board.king(board.to_move() ^ 1), board.to_move(), board.all()))
        throw nb::value_error("the side that is not to move is in check");
}

void check_going_on(const State& state) {
    if (state.is_terminal()) throw nb::value_error("game over");
}

int legal_move(const State& state, int move) {
    check_going_on(state);
    if (!state.is_legal(move)) throw nb::value_error("illegal move");
    return move;
}

State seen_by(const State& state, int colour) {
    if (check_player(colour) == state.to_move()) return state;
    State view = state;
    view.set_to_move(colour);
    check_searchable(view.board());
    return view;
}

void play_as(State& state, int colour, int move) {
    State next = seen_by(state, colour);
    next.play(legal_move(next, move));
    state = next;
}

nb::bytes stones(const State& state) {
    char out[chess::kSquares];
    for (Square square = 0; square < chess::kSquares; ++square) {
        const chess::Piece piece = state.board().at(square ^ 56);
        out[square] = static_cast<char>(piece == chess::kNone ? 0 : 1 + chess::colour_of(piece));
    }
    return nb::bytes(out, sizeof out);
}

nb::bytes pieces(const State& state) {
    char out[chess::kSquares];
    for (Square square = 0; square < chess::kSquares; ++square) {
        const chess::Piece piece = state.board().at(square);
        out[square] = static_cast<char>(piece == chess::kNone ? 0 : piece + 1);
    }
    return nb::bytes(out, sizeof out);
}

void setup(State& state, const nb::bytes& pieces, int to_move, const std::array<int, 4>& castling, int en_passant,
           int halfmove, int fullmove, bool is_chess960) {
    if (pieces.size() != chess::kSquares) throw nb::value_error("wrong number of squares");
    check_player(to_move);
    Board board = Board::empty(is_chess960);
    for (Square square = 0; square < chess::kSquares; ++square) {
        const int piece = static_cast<unsigned char>(pieces.c_str()[square]);
        if (piece > 12) throw nb::value_error("a piece is 0 to 12");
        if (piece) board.put(static_cast<chess::Piece>(piece - 1), square);
    }
    for (int colour = 0; colour < 2; ++colour)
        if (chess::count(board.of(colour)) > 32) throw nb::value_error("a side has more than 32 pieces");
    board.set_to_move(to_move);
    check_searchable(board);
    board.finish(to_move, castling, en_passant, halfmove, fullmove);
    state = State(board);
}

std::vector<int> legal_moves(const State& state) {
    std::vector<int> out(State::kMaxMoves);
    out.resize(static_cast<std::size_t>(state.candidate_moves(out.data())));
    std::sort(out.begin(), out.end());
    return out;
}

const char* ending(const State& state) {
    switch (state.ending()) {
        case chess::Ending::checkmate: return "checkmate";
        case chess::Ending::stalemate: return "stalemate";
        case chess::Ending::dead: return "dead position";
        case chess::Ending::seventy_five: return "seventy-five moves";
        case chess::Ending::none: break;
    }
    return "";
}

// A table of so many MB; 0: none.
std::optional<chess::PerftTable> table_of(int hash_mb) {
    constexpr int kMost = 1 << 20;
    if (hash_mb < 0 || hash_mb > kMost) throw nb::value_error("a hash table has 0 to 1048576 MB");
    std::optional<chess::PerftTable> out;
    if (hash_mb) out.emplace(static_cast<std::size_t>(hash_mb) << 20);
    return out;
}

std::uint64_t perft(const State& state, int depth, bool in_bulk, int hash_mb) {
    if (depth < 0 || depth > 30) throw nb::value_error("a depth is 0 to 30");
    auto table = table_of(hash_mb);
    const Board board = state.board();
    const nb::gil_scoped_release release;
    return chess::perft(board, depth, in_bulk, table ? &*table : nullptr);
}

std::vector<std::pair<int, std::uint64_t>> divide(const State& state, int depth, int hash_mb) {
    if (depth < 1 || depth > 30) throw nb::value_error("a depth is 1 to 30");
    auto table = table_of(hash_mb);
    std::vector<std::pair<int, std::uint64_t>> out;
    std::vector<int> moves(State::kMaxMoves);
    moves.resize(static_cast<std::size_t>(chess::legal_moves(state.board(), moves.data())));
    std::sort(moves.begin(), moves.end());
    const Board board = state.board();
    const nb::gil_scoped_release release;
    for (const int move : moves) {
        Board next = board;
        next.play(move);
        out.emplace_back(move, chess::perft(next, depth - 1, true, table ? &*table : nullptr));
    }
    return out;
}

void bind_rules(nb::class_<State>& type) {
    type.def_prop_ro("width", [](const State&) { return chess::kSide; })
        .def_prop_ro("height", [](const State&) { return chess::kSide; })
        .def_prop_ro("cells", &State::cells)
        .def_prop_ro("move_bound", &State::move_bound)
        .def_prop_ro(
            "pass_move", [](const State&) { return State::kPassMove; }, "-1: there is no pass.")
        .def_prop_ro("to_move", &State::to_move)
        .def_prop_ro(
            "position_key", [](const State& s) { return s.board().pieces_key(); }, "Key of the pieces alone.")
        .def_prop_ro("state_key", &State::state_key,
                     "Key of the pieces, the side to move, castling and legal en passant; not of the counters.")
        .def_prop_ro("situational_key", &State::state_key, "The same: what is there for the third time is a draw.")
        .def(
            "set_to_move", [](State& s, int colour) { s = seen_by(s, colour); }, nb::arg("colour"),
            "ValueError where the other side would be left in check.")
        .def("stones", &stones, "64 bytes, row-major from the top (a8): 0 empty, 1 White, 2 Black.")
        .def("pieces", &pieces,
             "64 bytes from a1, b1, ... to h8: 0 empty, 1 to 6 White's pawn, knight, bishop, rook, "
             "queen, king, 7 to 12 Black's.")
        .def("is_legal", &State::is_legal, nb::arg("move"))
        .def("legal_moves", &legal_moves, "Every legal move, ascending; none after the end.")
        .def(
            "play", [](State& s, int move) { s.play(legal_move(s, move)); }, nb::arg("move"),
            "Play for the side to move. ValueError: illegal, or the game is over; nothing changes then.")
        .def("play_as", &play_as, nb::arg("colour"), nb::arg("move"),
             "Play for `colour`, which need not be the side to move; then the other side moves.")
        .def(
            "key_after",
            [](const State& s, int move) {
                Board next = s.board();
                next.play(legal_move(s, move));
                return next.pieces_key();
            },
            nb::arg("move"), "position_key after a legal move, without playing it.")
        .def(
            "situational_key_after",
            [](const State& s, int move) { return s.repetition_key_after(legal_move(s, move)); }, nb::arg("move"),
            "situational_key after a legal move, without playing it.")
        .def(
            "play_on", &State::play_on,
            "From here on, also in copies, a dead position and seventy-five moves end nothing, as for a referee who plays "
            "on.")
        .def("as_root", &State::as_root,
             "A copy to be searched: it goes on while there is a move. What follows a move ends as usual.")
        .def("is_terminal", &State::is_terminal, "Whether `ending` names one.")
        .def("ending", &ending, "\"\" while the game goes on, checkmate, stalemate, dead position, seventy-five moves.")
        .def("result", &State::margin, "1 White has won, 0 drawn (or not over), -1 Black has won.")
        .def("copy", [](const State& s) { return s; })
        .def("__copy__", [](const State& s) { return s; })
        .def("__deepcopy__", [](const State& s, nb::handle) { return s; }, nb::arg("memo"));
}

void bind_facts(nb::class_<State>& type) {
    type.def("setup", &setup, nb::arg("pieces"), nb::arg("to_move"), nb::arg("castling"), nb::arg("en_passant"),
             nb::arg("halfmove"), nb::arg("fullmove"), nb::arg("is_chess960"),
             "Any position that can be searched: pieces as `pieces`, castling and en_passant as the properties. What "
             "cannot be of the last two is left out. ValueError: not one king each, a pawn on the first or last rank, "
             "the side that is not to move in check.")
        .def_prop_ro("is_check", [](const State& s) { return s.board().checkers() != 0; })
        .def_prop_ro(
            "halfmove", [](const State& s) { return s.board().halfmove(); },
            "Plies since a capture or a move of a pawn: from 100 on a draw may be claimed.")
        .def_prop_ro("fullmove", [](const State& s) { return s.board().fullmove(); })
        .def_prop_ro(
            "castling",
            [](const State& s) {
                const Board& b = s.board();
                return std::array<int, 4>{b.castling(0, true), b.castling(0, false), b.castling(1, true),
                                          b.castling(1, false)};
            },
            "Squares of the rooks to castle with: White's king side and queen side, Black's; -1: none.")
        .def_prop_ro(
            "en_passant", [](const State& s) { return s.board().en_passant(); },
            "The square behind the pawn, where such a capture is legal; else -1.")
        .def_prop_ro(
            "is_chess960", [](const State& s) { return s.board().is_chess960(); },
            "How castling is written; the rules are the same.");
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_chess(nb::module_& module) {
    nb::class_<chess::State> type(module, "ChessState", "One chess position; a1 is square 0, h8 is 63.");
    type.def(nb::init<>());
    bind::bind_rules(type);
    bind::bind_facts(type);
    module.def(
        "chess_perft", &bind::perft, nb::arg("state"), nb::arg("depth"), nb::arg("bulk") = true, nb::arg("hash_mb") = 0,
        "Leaves of the game tree at this depth, 0 to 30; bulk: the last ply is counted, not played; hash_mb: of a "
        "table of positions that were counted before, by key and depth, 0: none. ValueError, MemoryError.");
    module.def("chess_divide", &bind::divide, nb::arg("state"), nb::arg("depth"), nb::arg("hash_mb") = 0,
               "(move, leaves behind it) of every legal move, ascending; depth 1 to 30, hash_mb as in chess_perft.");
    module.def(
        "chess_see",
        [](const chess::State& state, int move) { return chess::see(state.board(), bind::legal_move(state, move)); },
        nb::arg("state"), nb::arg("move"),
        "Centipawns that a legal move wins on its target square when both sides go on taking there. ValueError.");
    module.def(
        "chess_see_ge",
        [](const chess::State& state, int move, int threshold) {
            return chess::see_ge(state.board(), bind::legal_move(state, move), threshold);
        },
        nb::arg("state"), nb::arg("move"), nb::arg("threshold"), "Whether `chess_see` is `threshold` or more.");
}
