#include "core/reversi/family.hpp"

#include "core/reversi/uniform.hpp"

namespace tengen::reversi {

void Family::defaults(const std::string& evaluator, mcts::Settings& settings) {
    settings.rave_equivalence = 0;
    settings.margin_weight = 0;
    settings.c = 1.0;
    settings.expand_visits = 1;
    if (evaluator != "uniform") throw std::invalid_argument("unknown evaluator " + evaluator);
}

std::unique_ptr<mcts::AnySearch<Family>> Family::make(const std::string&, const Root& root,
                                                      const mcts::Settings& settings,
                                                      const EvaluatorSettings& evaluator_settings,
                                                      std::atomic<bool>& stop) {
    return std::make_unique<mcts::SearchOf<Family, State, UniformEvaluator>>(root, settings, evaluator_settings, stop);
}

}  // namespace tengen::reversi
