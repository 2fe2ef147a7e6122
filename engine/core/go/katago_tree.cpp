#include "core/go/katago_tree.hpp"

namespace tengen::go {

std::shared_ptr<mcts::AnyTree<KataTree::Root, KataFacts>> KataTree::make(const Root& root,
                                                                        const mcts::LiveSettings& settings,
                                                                        const Facts& facts) {
    using Made = std::shared_ptr<mcts::AnyTree<Root, Facts>>;
    return with_capacity(root.width(), root.height(), [&](auto capacity) -> Made {
        return std::make_shared<mcts::TreeOf<Root, State<capacity()>, KataV7>>(root, settings, facts);
    });
}

}  // namespace tengen::go
