// Go's searches by evaluator name, each at the smallest board capacity that fits (core/search/native.hpp).
#pragma once

#include "core/go/state.hpp"
#include "core/go/tactical.hpp"
#include "core/mcts/family.hpp"

namespace tengen::go {

inline constexpr EvaluatorFacts kEvaluators[] = {
    {"tactical", "playouts that answer threats, and move priors by patterns and shapes"},
    {"uniform", "uniformly random playouts that fill no own eye"},
};

struct GoFamily {
    using Root = State<kMaxSize>;
    using Settings = mcts::Settings;
    using EvaluatorSettings = TacticalSettings;
    static std::span<const Option<EvaluatorSettings>> options() { return kTacticalOptions; }
    static std::span<const EvaluatorFacts> evaluators() { return kEvaluators; }
    static void defaults(const std::string& evaluator, mcts::Settings& settings);
    static std::unique_ptr<search::AnySearch<GoFamily>> make(const std::string& evaluator, const Root& root,
                                                             const mcts::Settings& settings,
                                                             const EvaluatorSettings& evaluator_settings);
};

}  // namespace tengen::go
