// Many trees searched side by side by an evaluator that answers batches: leaves are collected from all of them, and each
// answer is delivered to the leaf that asked. Any number of batches may be on their way at once. A live game's search is
// a forest of one tree (live.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/features.hpp"
#include "core/mcts/awaited.hpp"
#include "core/mcts/report.hpp"
#include "core/mcts/search.hpp"
#include "core/mcts/study.hpp"
#include "core/mcts/tree.hpp"
#include "core/mcts/worker.hpp"

namespace tengen::mcts {

// What an encoder is told beside a position and its past, the same for all: F::Facts, or nothing.
struct NoFacts {};
template <class F>
struct FactsOf {
    using type = NoFacts;
};
template <class F>
    requires requires { typename F::Facts; }
struct FactsOf<F> {
    using type = typename F::Facts;
};

template <GameState S, FeatureEncoder<S> F>
class Forest {
public:
    using Facts = typename FactsOf<F>::type;

    // A leaf that waits for its answer, seen through a symmetry.
    struct Asked {
        std::size_t tree;
        int symmetry;
        bool is_look;  // at a root that has its moves: for its owners alone
        std::unique_ptr<Leaf<S>> leaf;
    };
    using Batch = std::vector<Asked>;

    // How leaves are seen: `turns`: through all symmetries, each position through one that is its own under the seed.
    struct View {
        bool turns = false;
        std::uint64_t seed = 0;
        Facts facts{};
    };

    // One tree a root, each of so many bytes. `facts`: of each root, or none.
    Forest(std::span<const S> roots, std::span<const search::RootFacts> facts, Settings settings, std::size_t bytes,
           const View& view)
        : view_(view) {
        settings.margin_weight = 0;
        settings.threads = 1;
        settings.memory_mb = static_cast<double>(bytes) / 1048576.0;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            trees_.push_back(std::make_unique<Tree>(roots[i], settings));
            begin(i, roots[i], {}, i < facts.size() ? facts[i] : search::RootFacts(), {}, StopToken());
        }
    }

    // Search a tree from this root on, within bounds; what it knows of the position is kept. `earlier`: the positions
    // before the last moves, newest last. Nothing of the tree may be in flight.
    void begin(std::size_t tree, const S& root, std::span<const S> earlier, const search::RootFacts& facts,
               const search::Bounds& bounds, const StopToken& stop) {
        Tree& one = *trees_[tree];
        one.search.begin(root, facts, bounds, stop);
        one.earlier.assign(earlier.begin(), earlier.end());
        one.wants_look = one.search.root_node().has_edges() && !stop.is_stopped();
        one.keep_up();
    }
    // Whether the bounds, a proof or the stop ended it; what is in flight may still be answered.
    bool is_over(std::size_t tree) { return !trees_[tree]->wants_look && !trees_[tree]->search.may_start(); }
    void end(std::size_t tree) { trees_[tree]->search.end(); }
    void configure(std::size_t tree, Settings settings, const View& view) {
        settings.margin_weight = 0;
        settings.threads = 1;
        view_ = view;
        trees_[tree]->search.configure(settings, Awaited());
        trees_[tree]->keep_up();
    }
    search::Report report(std::size_t tree, int max_lines, bool ownership) const {
        return trees_[tree]->search.report(max_lines, ownership);
    }

    // Up to `room` leaves, from the trees in turn. A simulation whose end is known is counted at once. One that comes to
    // a leaf already asked about, or finds no memory to go on, is a collision: it is taken back. A tree that has had
    // kPatience of both, or that is over, is left in peace until the next call.
    Batch collect(std::size_t room) {
        Batch batch;
        std::vector<int> patience(trees_.size(), kPatience);
        std::unique_ptr<Leaf<S>> leaf;
        for (std::size_t idle = 0; idle < trees_.size() && batch.size() < room; next_ = (next_ + 1) % trees_.size()) {
            Tree& tree = *trees_[next_];
            if (patience[next_] == 0 || !(tree.wants_look || tree.can_start())) {
                ++idle;
                continue;
            }
            idle = 0;
            if (!leaf) leaf = std::make_unique<Leaf<S>>(tree.search.shared().state);
            const bool is_look = std::exchange(tree.wants_look, false);
            if (is_look)
                tree.worker.stand_at_root(*leaf);
            else if (!try_one(tree, *leaf)) {
                --patience[next_];
                continue;
            }
            ++tree.in_flight;
            batch.push_back({next_, symmetry_of(leaf->state), is_look, std::move(leaf)});
        }
        for (auto& tree : trees_) tree->worker.flush();
        return batch;
    }

    // What a network sees of a leaf (F::encode).
    void encode(const Asked& asked, float* planes, float* globals) const {
        const Tree& tree = *trees_[asked.tree];
        const Leaf<S>& leaf = *asked.leaf;
        const Shared<S>& shared = tree.search.shared();
        std::vector<int> recent;  // native moves, newest last
        for (const int dense : shared.facts.recent) recent.push_back(dense < 0 ? -1 : shared.state.from_dense(dense));
        for (int i = 0; i < leaf.trace.size(); ++i) recent.push_back(leaf.trace.move(i));
        std::array<int, static_cast<std::size_t>(S::kMaxMoves)> out;
        const auto count = static_cast<std::size_t>(mcts::banned(shared.facts, leaf, out.data()));
        const std::vector<S> before = positions_before(tree, leaf);
        std::vector<const S*> earlier;
        for (const S& position : before) earlier.push_back(&position);
        const Past<S> past{recent, {out.data(), count}, earlier};
        if constexpr (requires(S state) { state.set_komi(state.komi()); }) {
            if (shared.facts.komi_shift != 0) {
                S shifted = leaf.state;
                shifted.set_komi(shifted.komi() - shared.facts.komi_shift);
                return encode_one(shifted, past, asked.symmetry, planes, globals);
            }
        }
        encode_one(leaf.state, past, asked.symmetry, planes, globals);
    }

    // The answer to each leaf of a batch, in its order.
    void deliver(const Batch& batch, std::span<const Answer> answers) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            Tree& tree = *trees_[batch[i].tree];
            const Leaf<S>& leaf = *batch[i].leaf;
            const Answer& answer = answers[i];
            const float sign = leaf.state.to_move() == 0 ? 1.0f : -1.0f;
            --tree.in_flight;
            if (!answer.owners.empty())
                tree.worker.add_owners([&](int cell) { return sign * answer.owners[place(leaf.state, cell, batch[i])]; });
            if (tree.study.is_on()) note(tree, answer, batch[i], sign);
            if (!batch[i].is_look) take(tree, leaf, answer, batch[i], sign);
        }
        for (auto& tree : trees_) {
            tree->worker.flush();
            tree->search.look();
        }
    }

    // Take the leaves of a batch back that nobody will answer.
    void cancel(const Batch& batch) {
        for (const Asked& asked : batch) {
            Tree& tree = *trees_[asked.tree];
            --tree.in_flight;
            if (asked.is_look) continue;
            tree.worker.cancel(*asked.leaf);
            tree.search.count_started(-1);
        }
    }

    struct Counts {
        std::uint64_t answered, known, collisions;
    };
    std::size_t size() const { return trees_.size(); }
    Counts counts(std::size_t tree) const {
        return {trees_[tree]->answered, trees_[tree]->known, trees_[tree]->collisions};
    }
    const Arena& arena(std::size_t tree) const { return trees_[tree]->search.arena(); }
    const Node& root(std::size_t tree) const { return trees_[tree]->search.root_node(); }
    Study& study(std::size_t tree) { return trees_[tree]->study; }
    const S& state(std::size_t tree) const { return trees_[tree]->search.shared().state; }

private:
    static constexpr int kPatience = 16;
    static constexpr double kPointsASide = 0.75;  // of PuctSettings::points

    struct Tree {
        Tree(const S& root, const Settings& settings)
            : search(root, settings, Awaited()), worker(search.shared(), Awaited(), 1) {}
        bool can_start() {
            if (!search.has_room() && in_flight == 0) search.make_room_or_end();
            return search.has_room() && search.may_start();
        }
        // What the choice of moves is told of the root.
        void keep_up() {
            auto& rule = *std::get_if<PuctSettings>(&search.shared().settings.rule);
            rule.root_margin = search.root_node().margin.load(std::memory_order_relaxed);
            rule.points = static_cast<float>(kPointsASide * std::sqrt(search.shared().state.cells()));
        }
        Search<S, Awaited> search;
        Worker<S, Awaited> worker;
        Study study;
        std::vector<S> earlier;  // positions before the last moves to the root, newest last
        bool wants_look = false;
        int in_flight = 0;
        std::uint64_t answered = 0, known = 0, collisions = 0;
    };

    int symmetry_of(const S& state) const {
        if (!view_.turns) return 0;
        std::uint64_t key = state.state_key() ^ view_.seed;
        return static_cast<int>(splitmix64(key) %
                                static_cast<std::uint64_t>(F::set().symmetries(state.width(), state.height())));
    }
    static std::size_t place(const S& state, int dense, const Asked& asked) {
        return static_cast<std::size_t>(F::set().policy_index(dense, state.width(), state.height(), asked.symmetry));
    }

    void encode_one(const S& state, const Past<S>& past, int symmetry, float* planes, float* globals) const {
        if constexpr (std::is_same_v<Facts, NoFacts>)
            F::encode(state, past, symmetry, planes, globals);
        else
            F::encode(state, past, symmetry, planes, globals, view_.facts);
    }

    // As many positions before the last moves to a leaf as the encoder wants and are known, newest last.
    static std::vector<S> positions_before(const Tree& tree, const Leaf<S>& leaf) {
        const int wanted = F::set().earlier, plies = leaf.trace.size();
        std::vector<S> out;
        if (wanted == 0) return out;
        out.reserve(static_cast<std::size_t>(wanted));
        const int given = static_cast<int>(tree.earlier.size());
        for (int i = std::max(0, given - std::max(0, wanted - plies)); i < given; ++i)
            out.push_back(tree.earlier[static_cast<std::size_t>(i)]);
        S at = tree.search.shared().state;
        for (int i = 0; i < plies; ++i) {
            if (plies - i <= wanted) out.push_back(at);
            at.play(leaf.trace.move(i));
        }
        return out;
    }

    // Keep what an analysis wants of an answer.
    static void note(Tree& tree, const Answer& answer, const Asked& asked, float sign) {
        const Leaf<S>& leaf = *asked.leaf;
        const int first = leaf.trace.size() ? tree.search.shared().state.to_dense(leaf.trace.move(0)) : Study::kRoot;
        tree.study.add(first, answer, sign, leaf.state.cells(), [&](int cell) { return place(leaf.state, cell, asked); });
        if (leaf.depth > 0 || asked.is_look) return;
        std::vector<float> logits;
        for (int dense = 0; dense < leaf.state.move_bound(); ++dense)
            logits.push_back(answer.policy[place(leaf.state, dense, asked)]);
        tree.study.set_policy(std::move(logits));
    }

    // A leaf gets its moves and its value.
    void take(Tree& tree, const Leaf<S>& leaf, const Answer& answer, const Asked& asked, float sign) {
        tree.worker.expand(
            leaf, [&](int move) { return answer.policy[place(leaf.state, leaf.state.to_dense(move), asked)]; });
        const float value = sign * (2 * answer.win + answer.draw - 1);
        Outcome outcome;
        outcome.margin = answer.has_score ? sign * answer.score : value;
        outcome.draw = answer.draw;
        outcome.judgement = {0.5 + 0.5 * std::clamp(static_cast<double>(value), -1.0, 1.0), 1};
        count(tree, leaf, outcome);
        ++tree.answered;
        if (leaf.depth == 0) tree.keep_up();
    }

    static void count(Tree& tree, const Leaf<S>& leaf, const Outcome& outcome) {
        tree.worker.back_up(leaf, outcome);
        tree.worker.note_depth(leaf);
    }

    // One simulation; whether its leaf waits for an answer.
    static bool try_one(Tree& tree, Leaf<S>& leaf) {
        tree.worker.descend(leaf);
        const Node& node = tree.search.arena().node(leaf.node());
        if (const std::optional<Outcome> end = tree.worker.known(leaf)) {
            tree.search.count_started(1);
            count(tree, leaf, *end);
            ++tree.known;
            return false;
        }
        if (node.in_flight.load(std::memory_order_relaxed) > 1 || node.has_edges()) {
            tree.worker.cancel(leaf);
            ++tree.collisions;
            if (leaf.depth == 0 && node.has_edges() && tree.search.has_room()) tree.search.finish();  // it may play nothing
            return false;
        }
        tree.search.count_started(1);
        return true;
    }

    std::vector<std::unique_ptr<Tree>> trees_;
    std::size_t next_ = 0;  // whose turn it is
    View view_;
};

}  // namespace tengen::mcts
