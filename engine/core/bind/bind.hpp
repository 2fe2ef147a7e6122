// The parts of the module: one function a part of the core, each in its own file beside this one.
#pragma once

#include <nanobind/nanobind.h>

namespace tengen {

void bind_features(nanobind::module_& module);        // features.cpp; before the games
void bind_weights(nanobind::module_& module);         // weights.cpp; before the searches
void bind_katago_answers(nanobind::module_& module);  // katago_answers.cpp
void bind_go(nanobind::module_& module);              // go_state.cpp
void bind_go_batch(nanobind::module_& module);        // go_batch.cpp
void bind_mcts(nanobind::module_& module);
void bind_trees(nanobind::module_& module);     // trees.cpp; after what searches report, and the games
void bind_selfplay(nanobind::module_& module);  // selfplay.cpp
void bind_gomoku(nanobind::module_& module);    // gomoku_state.cpp
void bind_reversi(nanobind::module_& module);   // reversi.cpp
void bind_reversi_alphabeta(nanobind::module_& module);
void bind_reversi_learning(nanobind::module_& module);
void bind_chess(nanobind::module_& module);
void bind_chess_alphabeta(nanobind::module_& module);
void bind_chess_learning(nanobind::module_& module);
void bind_chess_features(nanobind::module_& module);  // after the searches: their StopToken
void bind_reversi_solver(nanobind::module_& module);  // after the searches: their StopToken

}  // namespace tengen
