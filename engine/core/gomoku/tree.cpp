#include "core/gomoku/tree.hpp"

template struct tengen::mcts::PlainGame<tengen::gomoku::Sets>;
