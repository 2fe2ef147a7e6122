#include "core/reversi/family.hpp"

#include "core/reversi/solving.hpp"

namespace tengen::reversi {

void Family::defaults(const std::string& evaluator, mcts::Settings& settings) {
    settings.rave_equivalence = 0;
    settings.expand_visits = 2;
    settings.c = evaluator == "uniform" ? 1.0 : 0.08;
    settings.margin_weight = evaluator == "uniform" ? 0.0 : 0.02;
}

std::unique_ptr<mcts::AnySearch<Family>> Family::make(const std::string& evaluator, const Root& root,
                                                      const mcts::Settings& settings,
                                                      const EvaluatorSettings& evaluator_settings,
                                                      std::atomic<bool>& stop) {
    if (evaluator == "uniform")
        return std::make_unique<mcts::SearchOf<Family, State, UniformEvaluator>>(root, settings, evaluator_settings,
                                                                                 stop);
    return std::make_unique<SolvingSearch>(root, settings, evaluator_settings, stop);
}

double Family::seconds_to_solve(const std::string& evaluator, const EvaluatorSettings& settings, const Root& root) {
    const int empties = count(root.empty());
    return evaluator == "weighted" && empties <= settings.root_empties ? SolvingSearch::seconds_to_solve(empties) : 0;
}

}  // namespace tengen::reversi
