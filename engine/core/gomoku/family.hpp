// Gomoku's searches by evaluator name, each at the smallest board capacity that fits (core/search/native.hpp).
#pragma once

#include "core/gomoku/tactical.hpp"
#include "core/mcts/family.hpp"

namespace tengen::gomoku {

inline constexpr EvaluatorFacts kEvaluators[] = {
    {"tactical", "playouts that answer threats, judgement by shapes, and searches of continuous fours"},
    {"uniform", "uniformly random playouts"},
};

struct Family {
    using Root = State<kLargest>;
    using Settings = mcts::Settings;
    using EvaluatorSettings = TacticalSettings;
    static std::span<const Option<EvaluatorSettings>> options() { return kTacticalOptions; }
    static std::span<const EvaluatorFacts> evaluators() { return kEvaluators; }
    static void defaults(const std::string& evaluator, mcts::Settings& settings);
    static std::unique_ptr<search::AnySearch<Family>> make(const std::string& evaluator, const Root& root,
                                                           const mcts::Settings& settings,
                                                           const EvaluatorSettings& evaluator_settings);
};

}  // namespace tengen::gomoku
