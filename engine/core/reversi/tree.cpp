#include "core/reversi/tree.hpp"

namespace tengen::reversi {

std::vector<const FeatureSet*> LiveGame::sets() { return sets_of<Sets>(); }

std::shared_ptr<mcts::AnyTree<LiveGame::Root, NoFacts>> LiveGame::make(const Root& root,
                                                                            const mcts::LiveSettings& settings,
                                                                            const Told& told, const FeatureSet& set) {
    return mcts::make_tree<Sets, Told>(root, settings, told, set);
}

}  // namespace tengen::reversi
