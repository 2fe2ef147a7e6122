// The tree of a live game of Gomoku that is searched with a network (core/mcts/live.hpp).
#pragma once

#include "core/gomoku/features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::gomoku {

using LiveGame = mcts::PlainGame<Sets>;

}  // namespace tengen::gomoku

extern template struct tengen::mcts::PlainGame<tengen::gomoku::Sets>;
