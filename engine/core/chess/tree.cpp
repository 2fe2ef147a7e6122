#include "core/chess/tree.hpp"

template struct tengen::mcts::PlainGame<tengen::chess::Sets>;
