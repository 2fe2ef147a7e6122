// The tree of a live game of Gomoku that is searched with a network (core/mcts/live.hpp).
#pragma once

#include "core/gomoku/features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::gomoku {

struct LiveGame {
    using Root = Sets::Root;
    using Told = NoFacts;
    static std::vector<const FeatureSet*> sets();
    static std::shared_ptr<mcts::AnyTree<Root, Told>> make(const Root& root, const mcts::LiveSettings& settings,
                                                           const Told& told, const FeatureSet& set);
};

}  // namespace tengen::gomoku
