// The tree of a live game of Go (core/mcts/live.hpp): by what KataGo's networks see, or by any other set of the game.
#pragma once

#include <memory>

#include "core/go/encoders.hpp"
#include "core/go/katago_features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::go {

struct LiveGame {
    using Root = Sets::Root;
    using Told = KataFacts;
    static constexpr bool kReads = true;
    static std::vector<const FeatureSet*> sets();
    static std::shared_ptr<mcts::AnyTree<Root, Told>> make(const Root& root, const mcts::LiveSettings& settings,
                                                           const Told& told, const FeatureSet& set);
};

}  // namespace tengen::go
