// tengen.engine._core: the native core as Python sees it. Importing it imports nothing else, numpy included.
#include "core/bind/bind.hpp"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);  // at exit Python need not free what daemon threads hold
    module.doc() = "Tengen's native core. The files under core/bind are the only ones that know Python.";
    tengen::bind_features(module);
    tengen::bind_weights(module);
    tengen::bind_katago_answers(module);
    tengen::bind_go(module);
    tengen::bind_go_batch(module);
    tengen::bind_mcts(module);
    tengen::bind_gomoku(module);
    tengen::bind_reversi(module);
    tengen::bind_reversi_alphabeta(module);
    tengen::bind_reversi_learning(module);
    tengen::bind_reversi_solver(module);
    tengen::bind_chess(module);
    tengen::bind_chess_alphabeta(module);
    tengen::bind_chess_learning(module);
    tengen::bind_chess_features(module);
    tengen::bind_trees(module);
    tengen::bind_selfplay(module);
}
