#include "core/gomoku/family.hpp"

namespace tengen::gomoku {

void Family::defaults(const std::string& evaluator, mcts::Settings& settings) {
    settings.margin_weight = 0;
    if (evaluator == "tactical") {
        // Against 0.8 and 0.2: fpu_reduction 0.05 scored 54 of 100, 0.4 36; c between 0.35 and 1.2 made no difference.
        settings.rule = mcts::PuctSettings{.c = 0.8, .fpu_reduction = 0.1, .root_fpu_reduction = 0.1};
        settings.expand_visits = 2;
        return;
    }
    settings.rule = mcts::UctSettings{.c = 1.0, .rave_equivalence = 0};  // plain UCT with an unvisited child first
}

std::unique_ptr<search::AnySearch<Family>> Family::make(const std::string& evaluator, const Root& root,
                                                        const mcts::Settings& settings,
                                                        const EvaluatorSettings& evaluator_settings) {
    return with_capacity(root.width(), root.height(), [&](auto capacity) -> std::unique_ptr<search::AnySearch<Family>> {
        constexpr int N = decltype(capacity)::value;
        if (evaluator == "tactical")
            return std::make_unique<mcts::SearchOf<Family, TacticalState<N>, TacticalEvaluator<N>>>(root, settings,
                                                                                                    evaluator_settings);
        return std::make_unique<mcts::SearchOf<Family, State<N>, UniformEvaluator<N>>>(root, settings,
                                                                                       evaluator_settings);
    });
}

}  // namespace tengen::gomoku
