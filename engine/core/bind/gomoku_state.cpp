// GomokuState: one gomoku position with its rule. Moves are dense ints, colours 0 black and 1 white.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/bind/bind.hpp"
#include "core/bind/encoding.hpp"
#include "core/bind/gomoku_common.hpp"
#include "core/bind/rows_binding.hpp"
#include "core/gomoku/features.hpp"
#include "core/gomoku/patterns.hpp"
#include "core/gomoku/threat_line.hpp"

namespace tengen::bind {
namespace {

std::vector<int> legal_moves(const GomokuState& state) {
    std::vector<int> moves(static_cast<std::size_t>(state.cells()));
    moves.resize(static_cast<std::size_t>(state.candidate_moves(moves.data())));
    for (int& move : moves) move = state.to_dense(move);
    return moves;
}

// A native move that `colour` may play. Throws ValueError with the reason.
int legal_move(const GomokuState& state, int colour, int dense) {
    if (dense == state.cells()) throw nb::value_error("there is no pass");
    const int cell = gomoku_cell(state, dense);
    if (!state.is_empty(cell)) throw nb::value_error("occupied");
    if (state.winner() >= 0) throw nb::value_error("game over");
    if (colour == 0)
        if (const gomoku::Foul foul = state.foul(cell); foul != gomoku::Foul::kNone)
            throw nb::value_error(gomoku::kFoulNames[static_cast<std::size_t>(foul)]);
    return cell;
}

void play_as(GomokuState& state, int colour, int dense) {
    const int cell = legal_move(state, check_player(colour), dense);
    state.set_to_move(colour);
    state.play(cell);
}

nb::bytes stones(const GomokuState& state) {
    std::string out(static_cast<std::size_t>(state.cells()), '\0');
    for (int c = 0; c < state.cells(); ++c)
        out[static_cast<std::size_t>(c)] = static_cast<char>(state.stone(state.from_dense(c)));
    return nb::bytes(out.data(), out.size());
}

// If both sides have a winning five, the one that is not to move has won.
void setup(GomokuState& state, const nb::bytes& stones, int to_move) {
    if (stones.size() != static_cast<std::size_t>(state.cells())) throw nb::value_error("wrong number of stones");
    check_player(to_move);
    GomokuState fresh(state.width(), state.height(), state.rule());
    for (int c = 0; c < state.cells(); ++c) {
        const int stone = static_cast<unsigned char>(stones.c_str()[c]);
        if (stone > 2) throw nb::value_error("a stone is 0, 1 or 2");
        if (stone) fresh.put(fresh.from_dense(c), stone - 1);
    }
    const int winner = fresh.has_won(to_move ^ 1) ? to_move ^ 1 : fresh.has_won(to_move) ? to_move : -1;
    fresh.finish(winner, fresh.stones(), to_move);
    state = fresh;
}

std::vector<int> winning_line(const GomokuState& state) {
    std::vector<int> cells;
    if (state.winner() < 0) return cells;
    const int stone = state.winner() + 1;
    constexpr int step_row[] = {0, 1, 1, -1}, step_column[] = {1, 0, 1, 1};
    for (int dense = 0; dense < state.cells(); ++dense)
        for (int d = 0; d < gomoku::kDirections; ++d) {
            cells.clear();
            int row = dense / state.width(), column = dense % state.width();
            const auto at = [&](int r, int c) {
                return state.is_inside(r, c) ? state.stone(GomokuState::L::cell(r, c)) : 0;
            };
            if (at(row, column) != stone || at(row - step_row[d], column - step_column[d]) == stone) continue;
            for (; at(row, column) == stone; row += step_row[d], column += step_column[d])
                cells.push_back(row * state.width() + column);
            if (cells.size() >= 5 && state.row_wins(state.from_dense(cells[0]), state.winner(), d)) {
                std::sort(cells.begin(), cells.end());
                return cells;
            }
        }
    cells.clear();
    return cells;
}

template <class Wanted>
std::vector<int> empties_where(const GomokuState& state, Wanted wanted) {
    std::vector<int> cells;
    gomoku::any_empty(state, [&](int cell) {
        if (wanted(cell)) cells.push_back(state.to_dense(cell));
        return false;
    });
    return cells;
}

std::vector<int> forbidden(const GomokuState& state) {
    return empties_where(state, [&](int cell) { return state.foul(cell) != gomoku::Foul::kNone; });
}

std::string foul(const GomokuState& state, int dense) {
    const int cell = gomoku_cell(state, dense);
    return gomoku::kFoulNames[state.is_empty(cell) ? static_cast<std::size_t>(state.foul(cell)) : 0];
}

std::vector<int> winning_moves(const GomokuState& state, int colour) {
    check_player(colour);
    if (state.winner() >= 0) return {};
    return empties_where(state, [&](int cell) { return state.is_win(cell, colour); });
}

std::vector<int> four_moves(const GomokuState& state, int colour) {
    const std::vector<int> wins = winning_moves(state, colour);
    if (state.winner() >= 0) return {};
    return empties_where(state, [&](int cell) {
        if (state.is_win(cell, colour) || !state.is_allowed(cell, colour)) return false;
        bool makes = !wins.empty();
        for (int d = 0; d < gomoku::kDirections; ++d) makes |= is_four(state.shape(cell, colour, d));
        return makes;
    });
}

constexpr std::array<const char*, gomoku::kThreats> kThreatNames = {
    "", "three", "two threes", "four", "four and three", "foul?", "open four", "five"};

std::vector<std::pair<int, std::string>> win_by_threats(const GomokuState& state, int positions) {
    gomoku::ThreatLine line;
    {
        nb::gil_scoped_release release;
        line = gomoku::threat_line(state, positions);
    }
    std::vector<std::pair<int, std::string>> out;
    for (const auto& [cell, threat] : line) out.emplace_back(cell, kThreatNames[static_cast<std::size_t>(threat)]);
    return out;
}

void check(const GomokuState& state) {
    const char* error = gomoku::with_capacity(state.width(), state.height(), [&](auto capacity) {
        return gomoku::TacticalState<capacity()>(state).inconsistency();
    });
    if (error == nullptr) error = gomoku::TacticalState<gomoku::kLargest>(state).inconsistency();
    if (error != nullptr) throw std::runtime_error(error);
}

// One byte a cell and direction, or one a cell, row-major from the top; 0 on stones.
template <class Value>
nb::bytes map_shapes(const GomokuState& state, int values, Value value) {
    std::string out;
    gomoku::with_capacity(state.width(), state.height(), [&](auto capacity) {
        const gomoku::TacticalState<capacity()> shapes(state);
        for (int dense = 0; dense < state.cells(); ++dense)
            for (int i = 0; i < values; ++i)
                out.push_back(static_cast<char>(value(shapes, shapes.from_dense(dense), i)));
    });
    return nb::bytes(out.data(), out.size());
}

nb::bytes shapes(const GomokuState& state, int colour) {
    check_player(colour);
    return map_shapes(state, gomoku::kDirections,
                      [colour](const auto& s, int cell, int direction) { return s.shape(cell, colour, direction); });
}

nb::bytes threats(const GomokuState& state, int colour) {
    check_player(colour);
    return map_shapes(state, 1, [colour](const auto& s, int cell, int) { return s.threat(cell, colour); });
}

void bind_play(nb::class_<GomokuState>& type) {
    type.def(
            "set_to_move", [](GomokuState& s, int colour) { s.set_to_move(check_player(colour)); }, nb::arg("colour"))
        .def("stones", &stones, "width*height bytes, row-major from the top: 0 empty, 1 black, 2 white.")
        .def(
            "is_legal",
            [](const GomokuState& s, int move) {
                return move >= 0 && move < s.cells() && s.is_legal(s.from_dense(move));
            },
            nb::arg("move"), "Whether the side to move may play here; False for a move that is none, or at the end.")
        .def("legal_moves", &legal_moves, "Every legal move, ascending; none when the game is over.")
        .def(
            "play", [](GomokuState& s, int move) { s.play(legal_move(s, s.to_move(), move)); }, nb::arg("move"),
            "Play for the side to move. ValueError: occupied, game over, overline, double four, double three, there "
            "is no pass, off the board; nothing changes then.")
        .def("play_as", &play_as, nb::arg("colour"), nb::arg("move"),
             "Play for `colour`, which need not be the side to move; then the other side moves.")
        .def(
            "key_after",
            [](const GomokuState& s, int move) { return s.repetition_key_after(legal_move(s, s.to_move(), move)); },
            nb::arg("move"), "position_key after a legal move, without playing it.")
        .def("is_terminal", &GomokuState::is_terminal,
             "Whether somebody has won, the board is full, or the side to move has no legal move.")
        .def("result", &GomokuState::margin, "1 when black has won, -1 when white has, else 0.")
        .def("setup", &setup, nb::arg("stones"), nb::arg("to_move"),
             "Replace the stones, any number of each. ValueError for a wrong length or value: unchanged.")
        .def("check", &check, "RuntimeError when the search's incremental data differ from a recomputation. For tests.")
        .def("copy", [](const GomokuState& s) { return s; })
        .def("__copy__", [](const GomokuState& s) { return s; })
        .def("__deepcopy__", [](const GomokuState& s, nb::handle) { return s; }, nb::arg("memo"));
}

void bind_facts(nb::class_<GomokuState>& type) {
    type.def_prop_ro("width", &GomokuState::width)
        .def_prop_ro("height", &GomokuState::height)
        .def_prop_ro("cells", &GomokuState::cells)
        .def_prop_ro("move_bound", &GomokuState::move_bound, "Moves are in 0..move_bound - 1.")
        .def_prop_ro(
            "pass_move", [](const GomokuState&) { return GomokuState::kPassMove; }, "-1: there is none.")
        .def_prop_ro("to_move", &GomokuState::to_move)
        .def_prop_ro("position_key", &GomokuState::position_key)
        .def_prop_ro("state_key", &GomokuState::state_key)
        .def_prop_ro(
            "rule",
            [](const GomokuState& s) { return std::string(gomoku::kRuleNames[static_cast<std::size_t>(s.rule())]); })
        .def_prop_ro("move_number", &GomokuState::stones, "Stones on the board.")
        .def_prop_ro("winner", &GomokuState::winner, "0 black, 1 white, -1 nobody.");
}

void bind_threats(nb::class_<GomokuState>& type) {
    type.def("winning_line", &winning_line, "Cells of the row that won, ascending; [] when nobody has won.")
        .def("forbidden", &forbidden, "Points forbidden to black, whoever is to move; [] unless renju.")
        .def("foul", &foul, nb::arg("cell"),
             "Why black may not play here: \"overline\", \"double four\", \"double three\", or \"\".")
        .def("winning_moves", &winning_moves, nb::arg("colour"), "Cells on which `colour` would win at once.")
        .def(
            "shapes", &shapes, nb::arg("colour"),
            "Four bytes a cell (row, column, diagonal, antidiagonal): what a stone of `colour` would make. 0 nothing, "
            "1 one, 2 two, 3 open two, 4 three, 5 open three, 6 four, 7 open four, 8 double four, 9 five, 10 overline.")
        .def("threats", &threats, nb::arg("colour"),
             "A byte a cell: 0 nothing, 1 open three, 2 two of them, 3 four, 4 four and open three, 5 perhaps a foul, "
             "6 open four or two fours, 7 five.")
        .def(
            "win_by_threats", &win_by_threats, nb::arg("positions"),
            "The line of a win of the side to move by fours, or by threes and fours, searched for among so many "
            "positions: (cell, what it makes), \"\" of a reply; [] where none was found. It ends with a five, or where "
            "renju forbids Black every reply.")
        .def("four_moves", &four_moves, nb::arg("colour"),
             "Legal cells that do not win but leave `colour` with at least one winning move.");
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_gomoku(nanobind::module_& module) {
    namespace nb = nanobind;
    nb::class_<bind::GomokuState> type(module, "GomokuState",
                                       "One gomoku position with its rule; it remembers no earlier position.");
    type.def(nb::new_(&bind::make_gomoku), nb::arg("width"), nb::arg("height"), nb::arg("rule") = "freestyle",
             "Sides 5..25. Rules: freestyle, standard, renju, caro, exact-caro.");
    bind::bind_facts(type);
    bind::bind_play(type);
    bind::bind_threats(type);
    bind::add_sets<gomoku::Sets>(module);
    bind::bind_rows_of<gomoku::Sets>(module);
    bind::bind_planes<gomoku::Sets>(type, gomoku::GomokuV1::set().name.c_str());
    bind::bind_gomoku_search(module);
    bind::bind_gomoku_alphabeta(module);
}
