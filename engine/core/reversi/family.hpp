// Reversi's searches by evaluator name (core/search/native.hpp).
#pragma once

#include "core/mcts/family.hpp"
#include "core/reversi/endgame.hpp"
#include "core/reversi/weighted.hpp"

namespace tengen::reversi {

inline constexpr EvaluatorFacts kEvaluators[] = {
    {"weighted", "playouts that prefer corners and edges, move priors, exact endings"},
    {"uniform", "uniformly random playouts"},
};

// Of every evaluator and of the stage.
struct ReversiSettings : WeightedSettings, EndgameSettings {};

struct Family {
    using Root = State;
    using Settings = mcts::Settings;
    using EvaluatorSettings = ReversiSettings;
    static std::span<const Option<EvaluatorSettings>> options();
    static std::span<const EvaluatorFacts> evaluators() { return kEvaluators; }
    static void defaults(const std::string& evaluator, mcts::Settings& settings);
    static std::unique_ptr<search::AnySearch<Family>> make(const std::string& evaluator, const Root& root,
                                                           const mcts::Settings& settings,
                                                           const EvaluatorSettings& evaluator_settings);
    static double seconds_to_solve(const std::string& evaluator, const EvaluatorSettings& settings, const Root& root);
};

}  // namespace tengen::reversi
