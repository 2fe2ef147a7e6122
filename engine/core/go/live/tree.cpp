#include "core/go/live/tree.hpp"

#include "core/go/live/insight.hpp"

namespace tengen::go {

std::vector<const FeatureSet*> LiveGame::sets() {
    std::vector<const FeatureSet*> all = sets_of<Sets>();
    all.insert(all.begin(), &KataV7::set());
    return all;
}

std::shared_ptr<mcts::AnyTree<LiveGame::Root, KataFacts>> LiveGame::make(const Root& root,
                                                                         const mcts::LiveSettings& settings,
                                                                         const Told& told, const FeatureSet& set) {
    using Made = std::shared_ptr<mcts::AnyTree<Root, Told>>;
    const auto insight = []<int N>(const State<N>&) -> std::unique_ptr<mcts::Insight<State<N>>> {
        return make_insight<N>();
    };
    if (&set != &KataV7::set()) return mcts::make_tree<Sets, Told>(root, settings, told, set, insight);
    return Sets::on_smallest(root, [&]<class S>(const S& small) -> Made {
        return std::make_shared<mcts::TreeOf<Root, Told, S, KataV7>>(root, settings, told, told, insight(small));
    });
}

}  // namespace tengen::go
