#include "core/go/family.hpp"

#include "core/go/capacity.hpp"
#include "core/go/uniform.hpp"

namespace tengen::go {

void GoFamily::defaults(const std::string& evaluator, mcts::Settings& settings) {
    if (evaluator == "tactical") return;
    settings.c = 0.5;  // plain UCT with an unvisited child first
    settings.rave_equivalence = 0;
    settings.margin_weight = 0;
}

std::unique_ptr<mcts::AnySearch<GoFamily>> GoFamily::make(const std::string& evaluator, const Root& root,
                                                          const mcts::Settings& settings,
                                                          const EvaluatorSettings& evaluator_settings,
                                                          std::atomic<bool>& stop) {
    return with_capacity(root.width(), root.height(), [&](auto capacity) -> std::unique_ptr<mcts::AnySearch<GoFamily>> {
        constexpr int N = decltype(capacity)::value;
        if (evaluator == "uniform")
            return std::make_unique<mcts::SearchOf<GoFamily, State<N>, UniformEvaluator<N>>>(root, settings,
                                                                                             evaluator_settings, stop);
        return std::make_unique<mcts::SearchOf<GoFamily, State<N>, TacticalEvaluator<N>>>(root, settings,
                                                                                          evaluator_settings, stop);
    });
}

}  // namespace tengen::go
