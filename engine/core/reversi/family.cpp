#include "core/reversi/family.hpp"

#include "core/reversi/solving.hpp"

namespace tengen::reversi {

void Family::defaults(const std::string& evaluator, mcts::Settings& settings) {
    settings.expand_visits = 2;
    settings.rule = mcts::UctSettings{.c = evaluator == "uniform" ? 1.0 : 0.08, .rave_equivalence = 0};
    settings.margin_weight = evaluator == "uniform" ? 0.0 : 0.02;
}

std::unique_ptr<search::AnySearch<Family>> Family::make(const std::string& evaluator, const Root& root,
                                                      const mcts::Settings& settings,
                                                      const EvaluatorSettings& evaluator_settings) {
    if (evaluator == "uniform")
        return std::make_unique<mcts::SearchOf<Family, State, UniformEvaluator>>(root, settings, evaluator_settings);
    return std::make_unique<SolvingSearch>(root, settings, evaluator_settings);
}

double Family::seconds_to_solve(const std::string& evaluator, const EvaluatorSettings& settings, const Root& root) {
    const int empties = count(root.empty());
    return evaluator == "weighted" && empties <= settings.root_empties ? SolvingSearch::seconds_to_solve(empties) : 0;
}

}  // namespace tengen::reversi
