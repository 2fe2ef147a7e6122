// _tengen_toy: the toy game for Python, as `State` of engine/games/base.py asks, and its search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "core/alphabeta/plain.hpp"
#include "core/bind/search_binding.hpp"
#include "features.hpp"
#include "morris.hpp"

namespace nb = nanobind;
using toy::State;

void bind_morris_forest(nb::module_& module);    // forest.cpp
void bind_morris_selfplay(nb::module_& module);  // selfplay.cpp
void bind_morris_tree(nb::module_& module);      // tree.cpp

namespace {

int check(const State& state, int move) {
    if (state.is_terminal()) throw nb::value_error("game over");
    if (!state.is_legal(move)) throw nb::value_error("illegal");
    return move;
}

void play_as(State& state, int colour, int move) {
    State next = state;
    next.set_to_move(colour);
    next.play(check(next, move));
    state = next;
}

nb::bytes stones(const State& state) {
    char out[State::kCells];
    for (int cell = 0; cell < State::kCells; ++cell) out[cell] = static_cast<char>(state.stone(cell));
    return nb::bytes(out, sizeof out);
}

std::vector<int> legal_moves(const State& state) {
    std::vector<int> moves(State::kMaxMoves);
    moves.resize(static_cast<std::size_t>(state.candidate_moves(moves.data())));
    return moves;
}

}  // namespace

NB_MODULE(_tengen_toy, module) {
    nb::module_::import_("tengen.engine._core").attr("add_feature_set")(toy::MorrisV1::set());
    nb::class_<State>(module, "ToyState")
        .def(nb::init<>())
        .def_prop_ro("width", &State::width)
        .def_prop_ro("height", &State::height)
        .def_prop_ro("cells", &State::cells)
        .def_prop_ro("move_bound", &State::move_bound)
        .def_prop_ro("pass_move", [](const State&) { return State::kPassMove; })
        .def_prop_ro("to_move", &State::to_move)
        .def_prop_ro("position_key", &State::position_key)
        .def_prop_ro("situational_key", &State::repetition_key)
        .def_prop_ro("state_key", &State::state_key)
        .def("set_to_move", &State::set_to_move)
        .def("stones", &stones)
        .def("is_legal", &State::is_legal)
        .def("legal_moves", &legal_moves)
        .def("play", [](State& state, int move) { state.play(check(state, move)); })
        .def("play_as", &play_as)
        .def("key_after", [](const State& state, int move) { return state.after(check(state, move)).position_key(); })
        .def("is_terminal", &State::is_terminal)
        .def("result", &State::margin)
        .def("copy", [](const State& state) { return state; });
    tengen::bind::bind_search<toy::Family>(module, "ToyMcts");
    tengen::bind::bind_search<tengen::alphabeta::PlainFamily<State>>(module, "ToyAlphaBeta");
    bind_morris_forest(module);
    bind_morris_selfplay(module);
    bind_morris_tree(module);
}
