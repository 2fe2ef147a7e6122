// The tree of a live game of Reversi that is searched with a network (core/mcts/live.hpp).
#pragma once

#include "core/mcts/live.hpp"
#include "core/reversi/features.hpp"

namespace tengen::reversi {

using LiveGame = mcts::PlainGame<Sets>;

}  // namespace tengen::reversi

extern template struct tengen::mcts::PlainGame<tengen::reversi::Sets>;
