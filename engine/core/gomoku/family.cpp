#include "core/gomoku/family.hpp"

#include "core/gomoku/uniform.hpp"

namespace tengen::gomoku {

void Family::defaults(const std::string& evaluator, mcts::Settings& settings) {
    if (evaluator != "uniform") throw std::invalid_argument("unknown evaluator " + evaluator);
    settings.rave_equivalence = 0;
    settings.margin_weight = 0;
    settings.c = 1.0;  // plain UCT with an unvisited child first
}

std::unique_ptr<mcts::AnySearch<Family>> Family::make(const std::string&, const Root& root,
                                                      const mcts::Settings& settings,
                                                      const EvaluatorSettings& evaluator_settings,
                                                      std::atomic<bool>& stop) {
    return with_capacity(root.width(), root.height(), [&](auto capacity) -> std::unique_ptr<mcts::AnySearch<Family>> {
        constexpr int N = decltype(capacity)::value;
        return std::make_unique<mcts::SearchOf<Family, State<N>, UniformEvaluator<N>>>(root, settings,
                                                                                       evaluator_settings, stop);
    });
}

}  // namespace tengen::gomoku
