#include "core/reversi/family.hpp"

#include "core/search/staged.hpp"

namespace tengen::reversi {

std::span<const Option<ReversiSettings>> Family::options() {
    static const auto table = joined<ReversiSettings, WeightedSettings, EndgameSettings>(kWeightedOptions, kEndgameOptions);
    return table;
}

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
    using Weighted = mcts::SearchOf<Family, State, WeightedEvaluator>;
    return search::staged<Family, EndgameStage, Weighted>(root, settings, evaluator_settings);
}

double Family::seconds_to_solve(const std::string& evaluator, const EvaluatorSettings& settings, const Root& root) {
    if (evaluator != "weighted") return 0;
    return search::seconds_to_answer(EndgameStage::expected_work(root, {}, settings), EndgameStage::kRates);
}

}  // namespace tengen::reversi
