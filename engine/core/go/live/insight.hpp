// What Go knows for certain beside a network: local fights (fight_insight.hpp).
#pragma once

#include <memory>

#include "core/go/state.hpp"
#include "core/mcts/insight.hpp"

namespace tengen::go {

template <int N>
std::unique_ptr<mcts::Insight<State<N>>> make_insight();

}  // namespace tengen::go
