// The tree of a live game of chess that is searched with a network (core/mcts/live.hpp).
#pragma once

#include "core/chess/features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::chess {

using LiveGame = mcts::PlainGame<Sets>;

}  // namespace tengen::chess

extern template struct tengen::mcts::PlainGame<tengen::chess::Sets>;
