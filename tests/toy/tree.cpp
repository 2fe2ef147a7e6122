// The tree of a live game of three men's morris that is searched with a network: test_new_game.py.
#include "core/bind/live_binding.hpp"

#include "features.hpp"
#include "morris.hpp"

void bind_morris_tree(nanobind::module_& module) {
    tengen::bind::bind_live<tengen::mcts::PlainGame<toy::Sets>>(module, "MorrisTree");
}
