#include "core/reversi/family.hpp"

#include <type_traits>

#include "core/search/staged.hpp"

namespace tengen::reversi {
namespace {

// Whose searches ask the endgame stage first.
bool asks_endgame(const std::string& evaluator) { return evaluator == "weighted"; }

}  // namespace

std::span<const Option<ReversiSettings>> Family::options() {
    static const auto table =
        joined<ReversiSettings, WeightedSettings, EndgameSettings>(kWeightedOptions, kEndgameOptions);
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
    const auto search_by = [&]<class E>(std::type_identity<E>) -> std::unique_ptr<search::AnySearch<Family>> {
        using Tree = mcts::SearchOf<Family, State, E>;
        if (asks_endgame(evaluator))
            return search::staged<Family, EndgameStage, Tree>(root, settings, evaluator_settings);
        return std::make_unique<Tree>(root, settings, evaluator_settings);
    };
    if (evaluator == "uniform") return search_by(std::type_identity<UniformEvaluator>());
    return search_by(std::type_identity<WeightedEvaluator>());
}

double Family::seconds_to_solve(const std::string& evaluator, const EvaluatorSettings& settings, const Root& root) {
    if (!asks_endgame(evaluator)) return 0;
    return search::seconds_to_answer(EndgameStage::expected_work(root, {}, settings), EndgameStage::kRates);
}

}  // namespace tengen::reversi
