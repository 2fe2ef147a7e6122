#include "core/reversi/tree.hpp"

template struct tengen::mcts::PlainGame<tengen::reversi::Sets>;
