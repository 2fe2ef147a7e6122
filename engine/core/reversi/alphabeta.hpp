// Reversi's alpha-beta searches by evaluator name.
#pragma once

#include <memory>
#include <span>

#include "core/alphabeta/family.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/reversi/state.hpp"
#include "core/reversi/tuning.hpp"

namespace tengen::reversi {

struct AlphaBetaSettings : PositionTuning {
    std::shared_ptr<const Weights> weights;
    std::shared_ptr<const PatternTables> tables;  // of the weights, once they are checked
    static std::span<const Option<AlphaBetaSettings>> options();
    bool operator==(const AlphaBetaSettings&) const = default;
};

struct ByPatterns;
struct ByMobility;
using AlphaBetaFamily = alphabeta::Family<State, AlphaBetaSettings, ByPatterns, ByMobility>;

}  // namespace tengen::reversi

extern template struct tengen::alphabeta::Family<tengen::reversi::State, tengen::reversi::AlphaBetaSettings,
                                                 tengen::reversi::ByPatterns, tengen::reversi::ByMobility>;
