// The tree of a live game of Go that is searched with KataGo's networks (core/mcts/live.hpp).
#pragma once

#include <memory>

#include "core/go/capacity.hpp"
#include "core/go/katago_features.hpp"
#include "core/mcts/live.hpp"

namespace tengen::go {

struct KataTree {
    using Root = State<kMaxSize>;
    using Facts = KataFacts;
    static const FeatureSet& set() { return KataV7::set(); }
    static std::shared_ptr<mcts::AnyTree<Root, Facts>> make(const Root& root, const mcts::LiveSettings& settings,
                                                            const Facts& facts);
};

}  // namespace tengen::go
