// Many trees searched side by side by an evaluator that answers batches: leaves are collected from all of them, and each
// answer is delivered to the leaf that asked. Any number of batches may be on their way at once. A live game's search is
// a forest of one tree (live.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/mcts/cache.hpp"
#include "core/mcts/forest_tree.hpp"
#include "core/mcts/leaf_seen.hpp"

namespace tengen::mcts {

template <GameState S, class F>
    requires FeatureEncoder<F, S> || ChosenEncoder<F>
class Forest {
public:
    using Facts = typename FactsOf<F>::type;
    using Seen = LeafSeen<S, F>;
    using Tree = ForestTree<S>;

    // A leaf that waits for its answer, seen through a symmetry.
    struct Asked {
        std::size_t tree;
        int symmetry;
        bool is_look;  // at a root that has its moves: for its owners alone
        std::unique_ptr<Leaf<S>> leaf;
        AnswerKey key{};
        bool is_keyed = false;
    };
    using Batch = std::vector<Asked>;

    // The encoding of leaves, and the bytes of answers that are kept for positions that come again.
    struct View : Sight<Facts> {
        std::size_t cache_bytes = 0;
    };
    // The memory in which leaves are encoded: planes x height x width and globals, row by row.
    struct Rows {
        float *planes = nullptr, *globals = nullptr;
    };

    // One tree a root, each of so many bytes. `facts`: of each root, or none.
    Forest(std::span<const S> roots, std::span<const search::RootFacts> facts, const Settings& settings,
           std::size_t bytes, const View& view, const search::Bounds& bounds = {})
        : view_(view), cache_(view.cache_bytes) {
        for (std::size_t i = 0; i < roots.size(); ++i) {
            add(roots[i], settings, bytes);
            begin(i, roots[i], {}, i < facts.size() ? facts[i] : search::RootFacts(), bounds, StopToken());
        }
    }
    // One tree more, which is over until `begin`; its number.
    std::size_t add(const S& root, Settings settings, std::size_t bytes) {
        settings.margin_weight = 0;
        settings.threads = 1;
        settings.memory_mb = static_cast<double>(bytes) / 1048576.0;
        trees_.push_back(std::make_unique<Tree>(root, settings));
        trees_.back()->search.finish();
        return trees_.size() - 1;
    }

    // The start of a run besides its root and bounds. `seed`: of its noise, else of the view's seed and the number of
    // the run. `looks`: a root whose moves are known is asked about once more, for their priors as a root's and for its
    // owners.
    struct Run {
        std::optional<std::uint64_t> seed;
        bool looks = true;
    };

    // Search a tree from this root on, within bounds; what it knows of the position is kept. `earlier`: the positions
    // before the last moves, newest last. Nothing of the tree may be in flight.
    void begin(std::size_t tree, const S& root, std::span<const S> earlier, const search::RootFacts& facts,
               const search::Bounds& bounds, const StopToken& stop, const Run& run = {}) {
        Tree& one = *trees_[tree];
        S start = root;
        if constexpr (requires { F::prepare(start, view_.facts); }) F::prepare(start, view_.facts);
        one.search.begin(start, facts, bounds, stop);
        one.earlier.assign(earlier.begin(), earlier.end());
        const std::uint64_t most = bounds.visits ? bounds.visits : bounds.playouts;
        std::uint64_t seed = run.seed.value_or(view_.seed + tree * 0xd1342543de82ef95ULL + one.runs++);
        one.rule.begin(one.settings(), most ? most - 1 : 0, splitmix64(seed));
        if (one.rule.is_gumbel()) one.search.drop();  // what it halves begins without visits
        one.wants_look = run.looks && one.search.root_node().has_edges() && !stop.is_stopped();
        one.has_news = true;
        one.keep_up();
        if (one.insight) one.insight->begin(start, bounds, stop);
    }
    // What the game knows of a tree's positions for certain, from its next run on; null: nothing.
    void inform(std::size_t tree, std::unique_ptr<Insight<S>> insight) { trees_[tree]->insight = std::move(insight); }
    Insight<S>* insight(std::size_t tree) { return trees_[tree]->insight.get(); }
    // Whether the bounds, a proof or the stop ended it; what is in flight may still be answered.
    bool is_over(std::size_t tree) { return !trees_[tree]->wants_look && !trees_[tree]->search.may_start(); }
    void end(std::size_t tree) { trees_[tree]->search.end(); }
    void configure(std::size_t tree, const Settings& settings, const View& view) {
        view_ = view;
        cache_.resize(view.cache_bytes);
        configure(tree, settings);
    }
    // Set the settings of one tree from its next run on.
    void configure(std::size_t tree, Settings settings) {
        settings.margin_weight = 0;
        settings.threads = 1;
        trees_[tree]->search.configure(settings, Awaited());
        trees_[tree]->keep_up();
    }
    // Leaves of one tree that are on their way at once, at most; each tree then grows as it would alone, when it is one.
    void allow(int leaves) { most_in_flight_ = leaves; }
    int in_flight(std::size_t tree) const { return trees_[tree]->in_flight; }
    // Forget the tree; nothing is in flight.
    void drop(std::size_t tree) { trees_[tree]->search.drop(); }
    search::Report report(std::size_t tree, int max_lines, bool ownership) const {
        return trees_[tree]->search.report(max_lines, ownership);
    }

    // Up to `room` leaves, from the trees in turn. A simulation whose end is known is counted at once. One that comes to
    // a leaf already asked about, or finds no memory to go on, is a collision: it is taken back. A tree that has had
    // kPatience of both, or that is over, is left in peace until the next call. With `rows`, leaf i is encoded into row i,
    // and one that the cache knows is answered at once and takes no room.
    Batch collect(std::size_t room, const Rows& rows = {}) {
        Batch batch;
        std::vector<int> patience(trees_.size(), kPatience);
        std::unique_ptr<Leaf<S>> leaf;
        for (std::size_t idle = 0; idle < trees_.size() && batch.size() < room; next_ = (next_ + 1) % trees_.size()) {
            Tree& tree = *trees_[next_];
            if (patience[next_] == 0 || tree.in_flight >= most_in_flight_ || !(tree.wants_look || tree.can_start())) {
                ++idle;
                continue;
            }
            idle = 0;
            if (tree.insight) tree.insight->prepare();
            if (!leaf) leaf = std::make_unique<Leaf<S>>(tree.search.shared().state);
            const bool is_look = std::exchange(tree.wants_look, false);
            if (is_look)
                tree.worker.stand_at_root(*leaf);
            else if (!tree.try_one(*leaf)) {
                --patience[next_];
                continue;
            }
            Asked asked{next_, Seen::symmetry(view_, leaf->state), is_look, std::move(leaf)};
            if (rows.planes && is_known(asked, rows, batch.size())) {
                leaf = std::move(asked.leaf);
                continue;
            }
            ++tree.in_flight;
            tree.looks += is_look;
            batch.push_back(std::move(asked));
        }
        settle();
        return batch;
    }

    // Encode a leaf for a network (F::encode).
    void encode(const Asked& asked, float* planes, float* globals) const {
        const Tree& tree = *trees_[asked.tree];
        Seen::encode(view_, tree.search.shared(), tree.earlier, *asked.leaf, asked.symmetry, planes, globals);
    }

    // The answer to each leaf of a batch, in its order.
    void deliver(const Batch& batch, std::span<const Answer> answers) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            Tree& tree = *trees_[batch[i].tree];
            tree.has_news = true;
            --tree.in_flight;
            tree.looks -= batch[i].is_look;
            tree.answered += !batch[i].is_look;
            if (batch[i].is_keyed) cache_.keep(batch[i].key, answers[i]);
            take(tree, batch[i], answers[i]);
        }
        settle();
    }

    // Take the leaves of a batch back that nobody will answer.
    void cancel(const Batch& batch) {
        for (const Asked& asked : batch) {
            Tree& tree = *trees_[asked.tree];
            --tree.in_flight;
            tree.looks -= asked.is_look;
            if (asked.is_look) continue;
            tree.worker.cancel(*asked.leaf);
            tree.search.count_started(-1);
        }
    }

    struct Counts {
        std::uint64_t answered, known, collisions, cached;
    };
    std::size_t size() const { return trees_.size(); }
    Counts counts(std::size_t tree) const {
        return {trees_[tree]->answered, trees_[tree]->known, trees_[tree]->collisions, trees_[tree]->cached};
    }
    // The policy of the root that a network should learn: (dense move, share) (RootRule::target).
    std::vector<std::pair<int, double>> target(std::size_t tree) const {
        const Shared<S>& shared = trees_[tree]->search.shared();
        auto out = trees_[tree]->rule.target(trees_[tree]->search.arena(), trees_[tree]->search.root_node(),
                                             shared.excluded, shared.state.to_move());
        for (auto& [move, share] : out) move = shared.state.to_dense(move);
        return out;
    }
    // The dense move that the rule of the root names, -1 where it has no say.
    int best(std::size_t tree) const {
        const Shared<S>& shared = trees_[tree]->search.shared();
        const std::uint32_t edge = trees_[tree]->rule.best(arena(tree), root(tree), shared.excluded);
        return edge ? shared.state.to_dense(arena(tree).edge(edge).move) : -1;
    }
    // The evaluator's policy for the root's moves, in the order of its edges; empty where it was not asked as a root.
    std::vector<double> policy(std::size_t tree) const { return trees_[tree]->rule.policy(); }
    const Arena& arena(std::size_t tree) const { return trees_[tree]->search.arena(); }
    const Node& root(std::size_t tree) const { return trees_[tree]->search.root_node(); }
    Study& study(std::size_t tree) { return trees_[tree]->study; }
    const S& state(std::size_t tree) const { return trees_[tree]->search.shared().state; }

private:
    // After results were counted, also ones that nobody was asked about.
    void settle() {
        for (auto& tree : trees_) {
            if (!std::exchange(tree->has_news, false)) continue;
            tree->worker.flush();
            tree->search.look();
        }
    }

    static constexpr int kPatience = 16;

    std::size_t place(const S& state, int dense, const Asked& asked) const {
        return Seen::place(view_, state, dense, asked.symmetry);
    }

    // Keep what an analysis wants of an answer.
    void note(Tree& tree, const Answer& answer, const Asked& asked, float sign) const {
        const Leaf<S>& leaf = *asked.leaf;
        const int first = leaf.trace.size() ? tree.search.shared().state.to_dense(leaf.trace.move(0)) : Study::kRoot;
        tree.study.add(first, answer, sign, leaf.state.cells(),
                       [&](int cell) { return place(leaf.state, cell, asked); });
        if (leaf.depth > 0 || asked.is_look) return;
        std::vector<float> logits;
        for (int dense = 0; dense < leaf.state.move_bound(); ++dense)
            logits.push_back(answer.policy[place(leaf.state, dense, asked)]);
        tree.study.set_policy(std::move(logits));
    }

    // Encode a leaf into a row; whether the cache has its answer, which it then has got.
    bool is_known(Asked& asked, const Rows& rows, std::size_t row) {
        const FeatureSet& features = set_of<F>(view_.facts);
        const std::size_t size = features.planes.size() * static_cast<std::size_t>(asked.leaf->state.cells());
        float* const planes = rows.planes + row * size;
        float* const globals = rows.globals ? rows.globals + row * features.globals.size() : nullptr;
        encode(asked, planes, globals);
        if (!cache_.is_on()) return false;
        asked.key = key_of({planes, size}, {globals, globals ? features.globals.size() : 0}, asked.leaf->depth == 0);
        asked.is_keyed = true;
        const std::optional<Answer> answer = cache_.find(asked.key);
        if (!answer) return false;
        Tree& tree = *trees_[asked.tree];
        take(tree, asked, *answer);
        ++tree.cached;
        tree.search.look();
        return true;
    }

    // A leaf gets its moves and its value, the tree the owners.
    void take(Tree& tree, const Asked& asked, const Answer& answer) {
        const Leaf<S>& leaf = *asked.leaf;
        const float sign = leaf.state.to_move() == 0 ? 1.0f : -1.0f;
        if (!answer.owners.empty())
            tree.worker.add_owners([&](int cell) { return sign * answer.owners[place(leaf.state, cell, asked)]; });
        if (tree.study.is_on()) note(tree, answer, asked, sign);
        const Correction known = correction(tree, asked, answer, sign);
        if (asked.is_look) return learn_root(tree, asked, answer, known);
        const auto logit = [&](int move) { return logit_of(leaf.state, move, asked, answer); };
        if (known.move < 0) {
            tree.worker.expand(leaf, logit);
        } else {
            const float bar = bar_of(tree, leaf.state, logit);
            tree.worker.expand(leaf,
                               [&](int move) { return move == known.move ? std::max(logit(move), bar) : logit(move); });
        }
        Outcome outcome = tree.outcome_of(answer, leaf);
        if (known.points != 0)
            shift(outcome, known.points, answer.has_score != 0, leaf.state.cells(),
                  tree.insight->settings().reading_slope);
        tree.count(leaf, outcome);
        if (leaf.depth > 0) return;
        tree.keep_up();
        learn_root(tree, asked, answer, known);
    }

    float logit_of(const S& state, int move, const Asked& asked, const Answer& answer) const {
        return answer.policy[place(state, state.to_dense(move), asked)];
    }
    // What the game knows for certain beside an answer.
    Correction correction(Tree& tree, const Asked& asked, const Answer& answer, float sign) const {
        if (!tree.insight || !tree.insight->is_on() || answer.owners.empty()) return {};
        const Leaf<S>& leaf = *asked.leaf;
        const auto owner = [&](int cell) { return sign * answer.owners[place(leaf.state, cell, asked)]; };
        return tree.insight->correct(leaf.state, leaf.depth, Owners(owner));
    }
    // The least logit of a move that is urged.
    template <class Logit>
    static float bar_of(const Tree& tree, const S& state, const Logit& logit) {
        float most = std::numeric_limits<float>::lowest();
        for (int dense = 0; dense < state.move_bound(); ++dense)
            if (const int move = state.from_dense(dense); state.is_legal(move)) most = std::max(most, logit(move));
        return most - static_cast<float>(tree.insight->settings().reading_urge);
    }

    // The moves of the root get their priors of a root; a root that was an inner node before had those of one.
    void learn_root(Tree& tree, const Asked& asked, const Answer& answer, const Correction& known) const {
        Node& root = tree.search.root_node();
        if (!root.has_edges()) return;
        const S& state = asked.leaf->state;
        const auto logit = [&](int move) { return logit_of(state, move, asked, answer); };
        const float bar = known.move < 0 ? 0 : bar_of(tree, state, logit);
        std::vector<double> logits;
        const std::uint32_t begin = root.edges.load(std::memory_order_relaxed);
        for (std::uint32_t i = begin; i < begin + root.edge_count; ++i) {
            const int move = tree.search.arena().edge(i).move;
            logits.push_back(static_cast<double>(move == known.move ? std::max(logit(move), bar) : logit(move)));
        }
        tree.search.change([&] {
            tree.rule.learn(tree.search.arena(), root, logits, static_cast<double>(answer.win + answer.draw / 2));
        });
    }

    std::vector<std::unique_ptr<Tree>> trees_;
    std::size_t next_ = 0;  // whose turn it is
    int most_in_flight_ = std::numeric_limits<int>::max();
    View view_;
    AnswerCache cache_;
};

}  // namespace tengen::mcts
