// Chess's alpha-beta searches by evaluator name (core/search/native.hpp).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/alphabeta/search.hpp"
#include "core/chess/state.hpp"

namespace tengen::chess {

class Network;

struct AlphaBetaSettings {
    std::shared_ptr<const Weights> weights;
    std::shared_ptr<const Network> network;  // of the weights, once they are checked
    bool operator==(const AlphaBetaSettings&) const = default;
};

struct AlphaBetaFamily {
    using Root = State;
    using Settings = alphabeta::Settings;
    using EvaluatorSettings = AlphaBetaSettings;
    static std::span<const Option<EvaluatorSettings>> options() { return {}; }
    static std::span<const EvaluatorFacts> evaluators();
    static void defaults(const std::string&, Settings&) {}
    static void check_weights(const std::string& evaluator, EvaluatorSettings& own);
    static std::unique_ptr<search::AnySearch<AlphaBetaFamily>> make(const std::string& evaluator, const Root& root,
                                                                    const Settings& settings,
                                                                    const EvaluatorSettings& own);
};

}  // namespace tengen::chess
