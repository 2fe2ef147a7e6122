// Gomoku's alpha-beta searches by evaluator name.
#pragma once

#include "core/alphabeta/family.hpp"
#include "core/gomoku/state.hpp"
#include "core/gomoku/threat_settings.hpp"

namespace tengen::gomoku {

struct ByLines;
struct ByNetwork;
using AlphaBetaFamily = alphabeta::Family<State<kLargest>, ThreatSettings, ByLines, ByNetwork>;

}  // namespace tengen::gomoku

extern template struct tengen::alphabeta::Family<tengen::gomoku::State<tengen::gomoku::kLargest>,
                                                 tengen::gomoku::ThreatSettings, tengen::gomoku::ByLines,
                                                 tengen::gomoku::ByNetwork>;
