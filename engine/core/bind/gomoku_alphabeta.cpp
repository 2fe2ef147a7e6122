// Gomoku's alpha-beta search.
#include "core/bind/gomoku_common.hpp"
#include "core/bind/search_binding.hpp"
#include "core/gomoku/alphabeta.hpp"

void tengen::bind::bind_gomoku_alphabeta(nb::module_& module) {
    bind_search<gomoku::AlphaBetaFamily>(module, "GomokuAlphaBeta");
}
