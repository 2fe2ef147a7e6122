// The tree search of one evaluator as a search of its game (core/search/native.hpp).
#pragma once

#include "core/mcts/report.hpp"
#include "core/mcts/search.hpp"
#include "core/mcts/tree.hpp"
#include "core/search/native.hpp"

namespace tengen::mcts {

// Search<S, E> as an AnySearch. S is constructible from Root; E from EvaluatorSettings.
template <class Family, class S, class E>
class SearchOf final : public search::AnySearch<Family> {
public:
    using Root = typename Family::Root;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    SearchOf(const Root& root, const Settings& settings, const EvaluatorSettings& evaluator)
        : search_(S(root), settings, E(evaluator)), width_(root.width()), height_(root.height()) {}
    bool fits(const Root& root) const override { return root.width() == width_ && root.height() == height_; }
    void configure(const Settings& settings, const EvaluatorSettings& evaluator) override {
        search_.configure(settings, E(evaluator));
    }
    void run(const Root& root, const search::RootFacts& facts, const search::Bounds& bounds,
             const search::StopToken& stop) override {
        search_.run(S(root), facts, bounds, stop);
    }
    search::Report report(int max_lines, bool ownership) const override { return search_.report(max_lines, ownership); }

private:
    Search<S, E> search_;
    int width_, height_;
};

}  // namespace tengen::mcts
