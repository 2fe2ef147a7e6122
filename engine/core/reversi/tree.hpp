// The tree of a live game of Reversi that is searched with a network (core/mcts/live.hpp).
#pragma once

#include "core/reversi/features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::reversi {

struct LiveGame {
    using Root = Sets::Root;
    using Told = NoFacts;
    static std::vector<const FeatureSet*> sets();
    static std::shared_ptr<mcts::AnyTree<Root, Told>> make(const Root& root, const mcts::LiveSettings& settings,
                                                           const Told& told, const FeatureSet& set);
};

}  // namespace tengen::reversi
