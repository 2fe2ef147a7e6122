// GoState: one Go position with its rules. Moves are dense ints, colours 0 black and 1 white.
#include <stdexcept>

#include "core/bind/bind.hpp"
#include "core/bind/go_common.hpp"
#include "core/bind/go_state.hpp"
#include "core/go/score.hpp"

namespace tengen::bind {
namespace {

std::vector<int> legal_moves(const GoState& state) {
    std::vector<int> moves;
    moves.reserve(static_cast<std::size_t>(state.board().empty_count()) + 1);
    for (int c = 0; c < state.cells(); ++c)
        if (state.is_legal(state.board().point_of_cell(c))) moves.push_back(c);
    moves.push_back(state.cells());
    return moves;
}

bool is_legal(const GoState& state, int dense) {
    if (dense == state.cells()) return true;
    return dense >= 0 && dense < state.cells() && state.is_legal(state.board().point_of_cell(dense));
}

void play_as(GoState& state, int colour, int dense) {
    const int before = state.to_move();
    state.set_to_move(check_colour(colour));
    try {
        state.play(legal_move(state, dense));
    } catch (...) {
        state.set_to_move(before);
        throw;
    }
}

nb::bytes stones(const GoState& state) {
    std::string out(static_cast<std::size_t>(state.cells()), '\0');
    for (int c = 0; c < state.cells(); ++c)
        out[static_cast<std::size_t>(c)] = static_cast<char>(state.board().stone(state.board().point_of_cell(c)));
    return nb::bytes(out.data(), out.size());
}

void setup(GoState& state, const nb::bytes& stones, int to_move) {
    if (stones.size() != static_cast<std::size_t>(state.cells())) throw nb::value_error("wrong number of stones");
    check_colour(to_move);
    GoState fresh(state.board().width(), state.board().height(), state.rules(), state.komi());
    for (int c = 0; c < state.cells(); ++c) {
        const int stone = static_cast<unsigned char>(stones.c_str()[c]);
        if (stone > go::kWhite) throw nb::value_error("a stone is 0, 1 or 2");
        if (stone != go::kEmpty) fresh.board().put(fresh.board().point_of_cell(c), stone);
    }
    for (int c = 0; c < state.cells(); ++c) {
        const int p = fresh.board().point_of_cell(c);
        if (fresh.board().stone(p) != go::kEmpty && fresh.board().count_liberties(p, 1) == 0)
            throw nb::value_error("no liberties");
    }
    fresh.set_to_move(to_move);
    state = fresh;
}

std::uint64_t with_side(std::uint64_t key, int player) { return player == 1 ? key ^ go::kWhiteToMoveKey : key; }

std::uint64_t key_after(const GoState& state, int dense) {
    const int move = legal_move(state, dense);
    return move == GoState::kPass ? state.board().key() : state.board().key_after(move, state.stone_to_move());
}

auto liberties(const GoState& state) {
    return map_cells<std::int16_t>(state.board(),
                                   [&](int p) { return state.board().count_liberties(p, GoBoard::kCells); });
}

auto area(const GoState& state) {
    go::PointMap<go::kMaxSize> owner;
    go::area_owners(state.board(), owner);
    return map_cells<std::int8_t>(state.board(), [&](int p) { return owner[p]; });
}

std::vector<int> chain(const GoState& state, int cell) {
    std::vector<int> cells;
    const int start = point_of(state, cell);
    if (state.board().head(start) == 0) return cells;
    int p = start;
    do {
        cells.push_back(state.board().cell(p));
        p = state.board().next(p);
    } while (p != start);
    std::sort(cells.begin(), cells.end());
    return cells;
}

std::vector<int> liberties_of(const GoState& state, int cell) {
    std::vector<int> cells(static_cast<std::size_t>(state.cells()));
    cells.resize(static_cast<std::size_t>(state.board().liberties(point_of(state, cell), cells.data(), state.cells())));
    for (int& c : cells) c = state.board().cell(c);
    std::sort(cells.begin(), cells.end());
    return cells;
}

bool is_eye(const GoState& state, int colour, int cell) {
    const int p = point_of(state, cell);
    return state.board().stone(p) == go::kEmpty &&
           go::kNeighbourhood.textbook_eye(state.board().neighbourhood(p), check_colour(colour) + 1);
}

bool is_playout_eye(const GoState& state, int colour, int cell) {
    const int p = point_of(state, cell);
    return state.board().stone(p) == go::kEmpty && state.board().is_playout_eye(p, check_colour(colour) + 1);
}

void check(const GoState& state) {
    const char* error = state.board().inconsistency();
    if (error == nullptr) error = on_smallest(state, [](const auto& s) { return s.board().inconsistency(); });
    if (error != nullptr) throw std::runtime_error(error);
}

GoState make_state(int width, int height, const std::string& ko, bool suicide, const std::string& scoring,
                   const std::string& tax, float komi) {
    check_size(width, height);
    return GoState(width, height, parse_rules(ko, suicide, scoring, tax), komi);
}

void bind_play(nb::class_<GoState>& type) {
    type.def(
            "set_to_move", [](GoState& s, int colour) { s.set_to_move(check_colour(colour)); }, nb::arg("colour"))
        .def("stones", &stones, "width*height bytes, row-major from the top: 0 empty, 1 black, 2 white.")
        .def("is_legal", &is_legal, nb::arg("move"),
             "Whether the side to move may play here, superko aside; False for a move that is none. A pass always is.")
        .def("legal_moves", &legal_moves,
             "Every legal move, superko aside, ascending, the pass last; also after two passes.")
        .def(
            "play", [](GoState& s, int move) { s.play(legal_move(s, move)); }, nb::arg("move"),
            "Play for the side to move. ValueError: occupied, ko, suicide, off the board; nothing changes then.")
        .def("play_as", &play_as, nb::arg("colour"), nb::arg("move"),
             "Play for `colour`, which need not be the side to move; then the other side moves.")
        .def("key_after", &key_after, nb::arg("move"), "position_key after a legal move, without playing it.")
        .def(
            "situational_key_after",
            [](const GoState& s, int move) { return with_side(key_after(s, move), s.to_move() ^ 1); }, nb::arg("move"))
        .def("is_terminal", &GoState::is_terminal, "Whether the last two moves were passes.")
        .def("setup", &setup, nb::arg("stones"), nb::arg("to_move"),
             "Replace the stones; clears ko, passes, captures and move number. ValueError \"no liberties\": unchanged.")
        .def("check", &check,
             "RuntimeError when incremental data differ from a recomputation, on any capacity. For tests.")
        .def("copy", [](const GoState& s) { return s; })
        .def("__copy__", [](const GoState& s) { return s; })
        .def("__deepcopy__", [](const GoState& s, nb::handle) { return s; }, nb::arg("memo"));
}

void bind_facts(nb::class_<GoState>& type) {
    type.def_prop_ro("width", [](const GoState& s) { return s.board().width(); })
        .def_prop_ro("height", [](const GoState& s) { return s.board().height(); })
        .def_prop_ro("cells", &GoState::cells)
        .def_prop_ro("move_bound", &GoState::move_bound, "Moves are in 0..move_bound - 1.")
        .def_prop_ro("pass_move", &GoState::cells)
        .def_prop_ro("to_move", &GoState::to_move)
        .def_prop_ro("position_key", [](const GoState& s) { return s.board().key(); })
        .def_prop_ro("situational_key", [](const GoState& s) { return with_side(s.board().key(), s.to_move()); })
        .def_prop_ro("state_key", &GoState::state_key)
        .def_prop_rw("komi", &GoState::komi, &GoState::set_komi, "Points White gets, handicap bonus included.")
        .def_prop_ro("ko_point", [](const GoState& s) { return s.board().ko() ? s.board().cell(s.board().ko()) : -1; })
        .def_prop_ro("passes", &GoState::passes, "Consecutive passes just played.")
        .def_prop_ro("move_number", &GoState::move_number)
        .def(
            "captured", [](const GoState& s, int colour) { return s.board().captured(check_colour(colour) + 1); },
            nb::arg("colour"), "Stones of that colour taken off the board so far.");
}

void bind_board(nb::class_<GoState>& type) {
    type.def("liberties", &liberties, "int16[height, width]: liberties of the chain at each stone, 0 on empty points.")
        .def("area", &area, "int8[height, width]: Tromp-Taylor areas, 1 black, 2 white, 0 neutral.")
        .def("chain", &chain, nb::arg("cell"), "Cells of the chain here, ascending; empty for an empty point.")
        .def("liberties_of", &liberties_of, nb::arg("cell"), "Liberties of the chain here, ascending.")
        .def("is_eye", &is_eye, nb::arg("colour"), nb::arg("cell"),
             "Textbook eye: all orthogonal neighbours own; at the edge all diagonals, else three of four.")
        .def("is_playout_eye", &is_playout_eye, nb::arg("colour"), nb::arg("cell"),
             "Orthogonal neighbours own, fewer than two enemy diagonals, none at the edge.");
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_go(nanobind::module_& module) {
    namespace nb = nanobind;
    nb::class_<bind::GoState> type(module, "GoState",
                                   "One Go position with its rules; it remembers no earlier position.");
    type.def(nb::new_(&bind::make_state), nb::arg("width"), nb::arg("height"), nb::kw_only(), nb::arg("ko") = "simple",
             nb::arg("suicide") = false, nb::arg("scoring") = "area", nb::arg("tax") = "none", nb::arg("komi") = 0.0F);
    bind::bind_facts(type);
    bind::bind_play(type);
    bind::bind_board(type);
    bind::bind_go_judgement(type);
    bind::bind_go_features(module, type);
    bind::bind_go_counting(module);
}
