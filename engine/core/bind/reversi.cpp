// ReversiState, its search, and what benchmarks and rule checks count. Moves are dense ints, colours 0 black, 1 white.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "core/bind/bind.hpp"
#include "core/bind/encoding.hpp"
#include "core/bind/rows_binding.hpp"
#include "core/bind/search_binding.hpp"
#include "core/reversi/family.hpp"
#include "core/reversi/features.hpp"
#include "core/reversi/perft.hpp"
#include "core/reversi/playout.hpp"

namespace nb = nanobind;

namespace tengen::bind {
namespace {

using reversi::Bits;
using reversi::kCells;
using reversi::State;

int check_player(int colour) {
    if (colour != 0 && colour != 1) throw nb::value_error("a colour is 0 or 1");
    return colour;
}

int check_cell(int cell) {
    if (cell < 0 || cell >= kCells) throw nb::value_error("off the board");
    return cell;
}

// The position as the player sees it who need not be to move.
State seen_by(const State& state, int colour) {
    State view = state;
    view.set_to_move(check_player(colour));
    return view;
}

int legal_move(const State& state, int move) {
    if (move != State::kPass) check_cell(move);
    if (state.is_terminal()) throw nb::value_error("game over");
    if (state.is_legal(move)) return move;
    if (move == State::kPass) throw nb::value_error("pass is not allowed");
    throw nb::value_error(state.empty() >> move & 1 ? "flips nothing" : "occupied");
}

void play_as(State& state, int colour, int move) {
    State next = seen_by(state, colour);
    next.play(legal_move(next, move));
    state = next;
}

nb::bytes stones(const State& state) {
    char out[kCells];
    for (int cell = 0; cell < kCells; ++cell)
        out[cell] = static_cast<char>((state.discs(0) >> cell & 1) | (state.discs(1) >> cell & 1) << 1);
    return nb::bytes(out, sizeof out);
}

void setup(State& state, const nb::bytes& stones, int to_move) {
    if (stones.size() != kCells) throw nb::value_error("wrong number of stones");
    check_player(to_move);
    Bits discs[3] = {0, 0, 0};
    for (int cell = 0; cell < kCells; ++cell) {
        const int stone = static_cast<unsigned char>(stones.c_str()[cell]);
        if (stone > 2) throw nb::value_error("a stone is 0, 1 or 2");
        discs[stone] |= 1ULL << cell;
    }
    state = State(discs[1], discs[2], to_move);
}

std::vector<int> cells_of(Bits bits) {
    std::vector<int> cells;
    for (; bits; bits &= bits - 1) cells.push_back(reversi::lowest(bits));
    return cells;
}

std::vector<int> legal_moves(const State& state) {
    int moves[State::kMaxMoves];
    return {moves, moves + state.candidate_moves(moves)};
}

Bits turned_by(const State& state, int colour, int cell) {
    check_cell(cell);
    const State view = seen_by(state, colour);
    return view.empty() >> cell & 1 ? reversi::flips(view.own(), view.enemy(), cell) : 0;
}

int frontier(const State& state, int colour, int cell) {
    return reversi::count_contacts(turned_by(state, colour, cell), state.empty() & ~(1ULL << cell));
}

std::int64_t perft(const State& state, int depth) {
    if (depth < 0) throw nb::value_error("depth is negative");
    const State root = state;
    const nb::gil_scoped_release release;
    return reversi::perft(root.own(), root.enemy(), depth);
}

std::tuple<std::int64_t, std::int64_t, std::int64_t> playouts(std::int64_t n, std::uint64_t seed) {
    const nb::gil_scoped_release release;
    Random random(seed);
    std::int64_t moves = 0, wins = 0, draws = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto ending = reversi::uniform_playout(reversi::kBlackStart, reversi::kWhiteStart, random);
        const int margin = reversi::final_margin(ending.own, ending.enemy);
        moves += ending.plies;
        wins += margin > 0;
        draws += margin == 0;
    }
    return {moves, wins, draws};
}

void bind_rules(nb::class_<State>& type) {
    type.def_prop_ro("width", &State::width)
        .def_prop_ro("height", &State::height)
        .def_prop_ro("cells", &State::cells)
        .def_prop_ro("move_bound", &State::move_bound, "Moves are in 0..move_bound - 1.")
        .def_prop_ro("pass_move", &State::cells)
        .def_prop_ro("to_move", &State::to_move)
        .def_prop_ro("position_key", &State::position_key)
        .def_prop_ro("state_key", &State::state_key)
        .def(
            "set_to_move", [](State& s, int colour) { s.set_to_move(check_player(colour)); }, nb::arg("colour"))
        .def("stones", &stones, "64 bytes, row-major from a1 in the top left corner: 0 empty, 1 black, 2 white.")
        .def("is_legal", &State::is_legal, nb::arg("move"))
        .def("legal_moves", &legal_moves,
             "Every legal move, ascending; the pass alone when there is no other; none after the end.")
        .def(
            "play", [](State& s, int move) { s.play(legal_move(s, move)); }, nb::arg("move"),
            "Play for the side to move. ValueError: off the board, occupied, flips nothing, pass is not allowed, game "
            "over; nothing changes then.")
        .def("play_as", &play_as, nb::arg("colour"), nb::arg("move"),
             "Play for `colour`, which need not be the side to move; then the other side moves.")
        .def(
            "key_after", [](const State& s, int move) { return s.repetition_key_after(legal_move(s, move)); },
            nb::arg("move"), "position_key after a legal move, without playing it.")
        .def("is_terminal", &State::is_terminal, "Whether neither side can move.")
        .def("result", &State::margin, "Black's discs less White's, the empty cells given to the winner.")
        .def("setup", &setup, nb::arg("stones"), nb::arg("to_move"), "Replace all discs; any will do.")
        .def("copy", [](const State& s) { return s; })
        .def("__copy__", [](const State& s) { return s; })
        .def("__deepcopy__", [](const State& s, nb::handle) { return s; }, nb::arg("memo"));
}

void bind_facts(nb::class_<State>& type) {
    type.def(
            "discs", [](const State& s, int colour) { return reversi::count(s.discs(check_player(colour))); },
            nb::arg("colour"), "How many discs of that colour there are.")
        .def(
            "mobility", [](const State& s, int colour) { return reversi::count(seen_by(s, colour).moves()); },
            nb::arg("colour"), "How many cells that colour could play, were it to move.")
        .def(
            "flips", [](const State& s, int colour, int cell) { return cells_of(turned_by(s, colour, cell)); },
            nb::arg("colour"), nb::arg("cell"), "Cells whose discs the move turns, ascending; empty if it may not.")
        .def("frontier", &frontier, nb::arg("colour"), nb::arg("cell"),
             "After the move: the sum over the turned discs of the empty cells next to each. Few are good.");
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_reversi(nb::module_& module) {
    nb::class_<reversi::State> type(module, "ReversiState", "One Reversi position on 8x8; a1 is cell 0, top left.");
    type.def(nb::init<>());
    bind::bind_rules(type);
    bind::bind_facts(type);
    bind::add_sets<reversi::Sets>(module);
    bind::bind_rows_of<reversi::Sets>(module);
    bind::bind_planes<reversi::Sets>(type, reversi::ReversiV1::set().name.c_str());
    bind::bind_search<reversi::Family>(module, "ReversiMcts");
    module.def("reversi_playouts", &bind::playouts, nb::arg("n"), nb::arg("seed"),
               "Play n uniform random games from the start; -> (total plies, games Black won, draws). One thread.");
    module.def("reversi_perft", &bind::perft, nb::arg("state"), nb::arg("depth"),
               "Leaves of the game tree at this depth; a pass is a ply, a game that ended earlier is one leaf.");
}
