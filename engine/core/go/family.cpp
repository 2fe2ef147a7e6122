#include "core/go/family.hpp"

#include "core/go/capacity.hpp"
#include "core/go/uniform.hpp"

namespace tengen::go {

void GoFamily::defaults(const std::string& evaluator, mcts::Settings& settings) {
    if (evaluator == "tactical") return;
    settings.rule = mcts::UctSettings{.c = 0.5, .rave_equivalence = 0};  // plain UCT with an unvisited child first
    settings.margin_weight = 0;
}

std::unique_ptr<search::AnySearch<GoFamily>> GoFamily::make(const std::string& evaluator, const Root& root,
                                                            const mcts::Settings& settings,
                                                            const EvaluatorSettings& evaluator_settings) {
    return with_capacity(root.width(), root.height(),
                         [&](auto capacity) -> std::unique_ptr<search::AnySearch<GoFamily>> {
                             constexpr int N = decltype(capacity)::value;
                             if (evaluator == "uniform")
                                 return std::make_unique<mcts::SearchOf<GoFamily, State<N>, UniformEvaluator<N>>>(
                                     root, settings, evaluator_settings);
                             return std::make_unique<mcts::SearchOf<GoFamily, State<N>, TacticalEvaluator<N>>>(
                                 root, settings, evaluator_settings);
                         });
}

}  // namespace tengen::go
