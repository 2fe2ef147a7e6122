// One thread's part of the search, in three steps: walk down to a leaf, evaluate it, carry the result back.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/concepts.hpp"
#include "core/mcts/backup.hpp"
#include "core/mcts/choose.hpp"
#include "core/mcts/settings.hpp"
#include "core/search/root_facts.hpp"

namespace tengen::mcts {

// What the threads of one search share.
template <GameState S>
struct Shared {
    explicit Shared(const S& root_state) : state(root_state) {}
    S state;          // at the root
    search::RootFacts facts;  // `seen` sorted
    Settings settings;
    Arena* arena = nullptr;
    std::uint32_t root = 0;
    Excluded<S> excluded{};  // moves that the root may not play
    std::atomic<bool> arena_full{false};
    std::array<std::atomic<std::int32_t>, S::kMaxCells> ownership{};
    std::atomic<std::uint32_t> owned_playouts{0};
    std::atomic<std::uint64_t> plies{0}, simulations{0};  // of this run: lengths of all paths, how many
    std::atomic<int> deepest{0};

    void start_run() {
        for (auto& o : ownership) o.store(0, std::memory_order_relaxed);
        owned_playouts.store(0);
        plies.store(0);
        simulations.store(0);
        deepest.store(0);
    }
    // Plies that the run has looked ahead on average.
    double mean_depth() const {
        const auto n = static_cast<double>(simulations.load(std::memory_order_relaxed));
        return n > 0 ? static_cast<double>(plies.load(std::memory_order_relaxed)) / n : 0;
    }
};

// Where a simulation has come to: a position that waits for its value, and the path whose visits are in flight.
template <GameState S>
struct Leaf {
    static constexpr int kMaxDepth = 1024;

    explicit Leaf(const S& root) : state(root) {}
    std::uint32_t node() const { return path[static_cast<std::size_t>(depth)]; }

    S state;
    Trace trace;
    int depth = 0;
    bool has_recurred = false;  // a draw by repetition
    std::array<std::uint32_t, kMaxDepth> path;
    std::array<std::uint64_t, kMaxDepth> keys;  // repetition keys of the positions on the path
};

template <GameState S, LeafEvaluator<S> E>
class Worker {
public:
    Worker(Shared<S>& shared, const E& evaluator, std::uint64_t seed)
        : shared_(shared), evaluator_(evaluator), random_(seed), leaf_(shared.state) {}

    // The three steps of a simulation in one.
    void simulate() {
        descend(leaf_);
        const std::optional<Outcome> end = known(leaf_);
        back_up(leaf_, end ? *end : estimate(leaf_));
        plies_ += static_cast<std::uint32_t>(leaf_.depth);
        deepest_ = std::max(deepest_, leaf_.depth);
        if (++simulations_ == kFlushEvery) flush();
    }

    // Walk down to a leaf; every node on the way has one more visit in flight, until `back_up`.
    void descend(Leaf<S>& leaf) {
        Arena& arena = *shared_.arena;
        leaf.state = shared_.state;
        leaf.trace.clear();
        leaf.has_recurred = false;
        leaf.depth = 0;
        begin(leaf, shared_.root);
        while (leaf.depth + 1 < Leaf<S>::kMaxDepth) {
            Node& node = arena.node(leaf.node());
            const bool at_root = leaf.depth == 0;
            if (!node.has_edges()) {
                if (AwaitedEvaluator<E> || leaf.state.is_terminal()) break;
                if (!at_root && node.started() < shared_.settings.expand_visits) break;
                if (!expand(node, leaf)) break;
            }
            const std::uint32_t chosen =
                choose(arena, node, rule(), evaluator_, at_root ? &shared_.excluded : nullptr);
            if (!chosen) break;
            Edge& edge = arena.edge(chosen);
            const std::uint32_t next = node_below(edge);
            if (!next) break;
            leaf.trace.add(edge.move, leaf.state.to_move());
            leaf.state.play(edge.move);
            ++leaf.depth;
            begin(leaf, next);
            leaf.has_recurred = recurs(leaf);
            if (leaf.has_recurred || arena.node(next).proof.load(std::memory_order_relaxed).is_exact()) break;
        }
    }

    // How the game ends from the leaf, by the rules, by what is proved or by a solver, if any of these knows.
    std::optional<Outcome> known(const Leaf<S>& leaf) {
        Node& node = shared_.arena->node(leaf.node());
        const int mover = leaf.state.to_move() ^ 1;  // who moved into the leaf
        Outcome out;
        if (leaf.has_recurred) {  // no proof: another way here may repeat nothing
            out.draw = 1;
        } else if (leaf.state.is_terminal()) {
            out.margin = leaf.state.margin() + shared_.facts.komi_shift;
            prove(leaf, mover, out);
        } else if (const Proof proof = node.proof.load(std::memory_order_relaxed); leaf.depth > 0 && proof.is_exact()) {
            out.margin = node.margin.load(std::memory_order_relaxed);
            if (ValueEvaluator<E> || result_of(out.margin, mover) != proof.low())
                out.margin = static_cast<float>(mover == 0 ? proof.low() : -proof.low());
            out.draw = proof.low() == 0 ? 1.0f : 0.0f;
        } else if (solve(leaf.state, out.margin)) {
            prove(leaf, mover, out);
        } else {
            return std::nullopt;
        }
        return out;
    }

    // How it ends by the evaluator, which may play the leaf's state out.
    Outcome estimate(Leaf<S>& leaf) {
        Outcome out;
        if constexpr (JudgingEvaluator<E, S>) out.judgement = evaluator_.judge(leaf.state);
        out.margin = evaluator_.evaluate(leaf.state, random_, leaf.trace) + shared_.facts.komi_shift;
        if (!ValueEvaluator<E> && out.margin == 0) out.draw = 1 - out.judgement.share;
        evaluator_.add_ownership(leaf.state, ownership_.data());
        ++owned_playouts_;
        return out;
    }

    // Give a leaf its moves, with how likely each is: softmax of logit(native move).
    template <class Logit>
    void expand(const Leaf<S>& leaf, const Logit& logit) {
        Node& node = shared_.arena->node(leaf.node());
        if (node.has_edges()) return;
        bool complete = S::kCandidatesComplete;
        const int found = find_moves(node, leaf, complete);
        if (found <= 0) return;
        const std::span<Prior> priors(priors_.data(), static_cast<std::size_t>(found));
        float most = std::numeric_limits<float>::lowest(), total = 0;
        for (std::size_t i = 0; i < priors.size(); ++i) {
            priors[i] = {logit(moves_[i]), 0};
            most = std::max(most, priors[i].wins);
        }
        for (Prior& prior : priors) total += prior.wins = std::exp(prior.wins - most);
        for (Prior& prior : priors) prior.wins /= total;
        grow(node, found, complete);
    }

    // Moves that only an earlier position forbids the mover, into out[S::kMaxMoves]; how many.
    int banned(const Leaf<S>& leaf, int* out) const {
        int count = 0;
        for (int dense = 0; !DrawsByRepetition<S> && dense < leaf.state.move_bound(); ++dense) {
            const int move = leaf.state.from_dense(dense);
            if (leaf.state.is_legal(move) && repeats(leaf, move)) out[count++] = move;
        }
        return count;
    }

    // Take a visit back that led to nothing.
    void cancel(const Leaf<S>& leaf) {
        for (int d = 0; d <= leaf.depth; ++d)
            add(shared_.arena->node(leaf.path[static_cast<std::size_t>(d)]).in_flight, static_cast<std::uint16_t>(-1),
                is_alone());
    }

    // Count the outcome for every node on the way to the leaf.
    void back_up(const Leaf<S>& leaf, const Outcome& outcome) {
        Arena& arena = *shared_.arena;
        const Judgement judgement = outcome.judgement;
        double value0 = value_of<E>(outcome.margin, shared_.settings.margin_weight, shared_.state.cells());
        value0 += static_cast<double>(judgement.share) * (static_cast<double>(judgement.win) - value0);
        const int root_player = shared_.state.to_move();
        if constexpr (E::kUsesAmaf) {
            first_.fill(-1);
            for (int i = leaf.trace.size() - 1; i >= leaf.depth; --i)
                first_[static_cast<std::size_t>(leaf.trace.move(i))] = static_cast<std::int8_t>(leaf.trace.player(i));
        }
        for (int d = leaf.depth; d >= 0; --d) {
            Node& node = arena.node(leaf.path[static_cast<std::size_t>(d)]);
            const int mover = root_player ^ (d & 1) ^ 1;  // who moved into the node
            const double value = mover == 0 ? value0 : 1.0 - value0;
            count(node, value, outcome, is_alone());
            if (d < leaf.depth && d > 0)
                update_proof(arena, node, arena.node(leaf.path[static_cast<std::size_t>(d + 1)]));
            if constexpr (E::kUsesAmaf) {
                if (d < leaf.depth)
                    first_[static_cast<std::size_t>(leaf.trace.move(d))] =
                        static_cast<std::int8_t>(leaf.trace.player(d));
                if (node.has_edges()) update_amaf<S>(arena, node, first_, mover ^ 1, 1.0 - value);
            }
        }
    }

    // Tell the others what this thread counted for itself.
    void flush() {
        shared_.plies.fetch_add(std::exchange(plies_, 0), std::memory_order_relaxed);
        shared_.simulations.fetch_add(std::exchange(simulations_, 0), std::memory_order_relaxed);
        int deepest = shared_.deepest.load(std::memory_order_relaxed);
        while (deepest < deepest_ &&
               !shared_.deepest.compare_exchange_weak(deepest, deepest_, std::memory_order_relaxed)) {
        }
        if (!owned_playouts_) return;
        for (int i = 0; i < shared_.state.cells(); ++i) {
            shared_.ownership[static_cast<std::size_t>(i)].fetch_add(ownership_[static_cast<std::size_t>(i)],
                                                                     std::memory_order_relaxed);
            ownership_[static_cast<std::size_t>(i)] = 0;
        }
        shared_.owned_playouts.fetch_add(owned_playouts_, std::memory_order_relaxed);
        owned_playouts_ = 0;
    }

private:
    static constexpr std::uint32_t kFlushEvery = 64;  // simulations

    // Of this evaluator; Family::defaults has made them so.
    const auto& rule() const { return *std::get_if<typename RuleOf<E>::Settings>(&shared_.settings.rule); }
    bool is_alone() const { return shared_.settings.threads <= 1; }

    void begin(Leaf<S>& leaf, std::uint32_t node) {
        const auto depth = static_cast<std::size_t>(leaf.depth);
        leaf.path[depth] = node;
        leaf.keys[depth] = leaf.state.repetition_key();
        add(shared_.arena->node(node).in_flight, std::uint16_t{1}, is_alone());
    }

    // Where an edge leads; the node is made at the first visit. 0: there is no memory for it.
    std::uint32_t node_below(Edge& edge) {
        if (const std::uint32_t known = edge.node.load(std::memory_order_acquire)) return known;
        const std::uint32_t made = shared_.arena->new_node();
        if (!made) {
            shared_.arena_full.store(true, std::memory_order_relaxed);
            return 0;
        }
        std::uint32_t other = 0;
        if (edge.node.compare_exchange_strong(other, made, std::memory_order_acq_rel)) return made;
        shared_.arena->release_node(made);  // another thread was here first
        return other;
    }

    // Ask an evaluator that may know it how the game ends with best play. Its margin may be a bound on the winner's side
    // of the draw, which means nothing once points are given to one side.
    bool solve(const S& state, float& margin) {
        if constexpr (SolvingEvaluator<E, S>)
            return shared_.facts.komi_shift == 0 && evaluator_.solve(state, margin);
        else
            return false;
    }

    // A known end is a proof; not of the root, which may not play every move.
    void prove(const Leaf<S>& leaf, int mover, Outcome& outcome) {
        const int result = result_of(outcome.margin, mover);
        outcome.draw = result == 0 ? 1.0f : 0.0f;
        if (leaf.depth > 0) learn(shared_.arena->node(leaf.node()).proof, Proof::exactly(result));
    }

    bool expand(Node& node, const Leaf<S>& leaf) {
        const bool at_root = leaf.depth == 0;
        std::uint32_t expected = Node::kNoEdges;
        if (!node.edges.compare_exchange_strong(expected, Node::kExpanding, std::memory_order_acquire))
            return expected > Node::kExpanding || (at_root && wait_for_edges(node));
        bool complete = S::kCandidatesComplete;
        const int found = find_moves(node, leaf, complete);
        if (found <= 0) {
            node.edges.store(Node::kNoEdges, std::memory_order_release);
            return false;
        }
        const auto size = static_cast<std::size_t>(found);
        for (std::size_t i = size - 1; i > 0; --i)
            std::swap(moves_[i], moves_[random_.below(static_cast<std::uint32_t>(i + 1))]);
        evaluator_.priors(leaf.state, std::span<const int>(moves_.data(), size), priors_.data());
        return grow(node, found, complete);
    }

    // Edges for the first `found` of moves_, with priors_. False: there is no memory for them.
    bool grow(Node& node, int found, bool complete) {
        const std::uint32_t begin = shared_.arena->new_edges(found);
        if (!begin) {
            shared_.arena_full.store(true, std::memory_order_relaxed);
            node.edges.store(Node::kNoEdges, std::memory_order_release);
            return false;
        }
        const auto size = static_cast<std::size_t>(found);
        for (std::size_t i = 0; i < size; ++i) {
            Edge& edge = shared_.arena->edge(begin + static_cast<std::uint32_t>(i));
            edge.move = static_cast<std::uint16_t>(moves_[i]);
            edge.prior = pack(evaluator_, priors_[i]);
        }
        node.edge_count = static_cast<std::uint16_t>(found);
        node.complete = complete;
        node.edges.store(begin, std::memory_order_release);
        return true;
    }

    // The moves worth a search, in moves_; -1 when the position is proved instead, which the node then says.
    int find_moves(Node& node, const Leaf<S>& leaf, bool& complete) {
        [[maybe_unused]] const bool at_root = leaf.depth == 0;
        int found;
        if constexpr (Adviser<E, S>) {
            const Advice advice = evaluator_.advise(leaf.state, at_root, moves_.data());
            if (advice.proof && !at_root) {
                learn(node.proof, Proof::exactly(-advice.proof));
                return -1;
            }
            found = advice.count;
            complete = advice.complete || advice.proof > 0;
        } else {
            found = leaf.state.candidate_moves(moves_.data());
        }
        const auto end = std::remove_if(moves_.begin(), moves_.begin() + found, [&](int m) { return repeats(leaf, m); });
        found = static_cast<int>(end - moves_.begin());
        if constexpr (Adviser<E, S>) {
            const auto is_excluded = [&](int m) { return shared_.excluded[static_cast<std::size_t>(m)]; };
            if (at_root && std::all_of(moves_.begin(), end, is_excluded)) found = add_allowed_moves(leaf, complete);
        }
        return found;
    }

    // The advice leaves nothing that the root may play: every legal move instead.
    int add_allowed_moves(const Leaf<S>& leaf, bool& complete) {
        int found = 0;
        complete = true;
        for (int dense = 0; dense < leaf.state.move_bound(); ++dense) {
            const int move = leaf.state.from_dense(dense);
            if (leaf.state.is_legal(move) && !repeats(leaf, move)) moves_[static_cast<std::size_t>(found++)] = move;
        }
        return found;
    }

    // Another thread expands the root: without its edges there is nothing to do.
    static bool wait_for_edges(const Node& node) {
        while (node.edges.load(std::memory_order_acquire) == Node::kExpanding) std::this_thread::yield();
        return node.has_edges();
    }

    // Whether the rules forbid the move because it repeats a position.
    bool repeats(const Leaf<S>& leaf, int move) const {
        if (DrawsByRepetition<S> || !leaf.state.may_repeat(move)) return false;
        const std::uint64_t key = leaf.state.repetition_key_after(move);
        return is_on_path(leaf, key, leaf.depth) || shared_.facts.times(key) > 0;
    }

    // Whether the position just reached counts as a draw by repetition: it was on the path before, where once is enough,
    // since who could avoid it the second time could have avoided it now; or the game has seen it twice.
    bool recurs(const Leaf<S>& leaf) const {
        if constexpr (DrawsByRepetition<S>) {
            const std::uint64_t key = leaf.keys[static_cast<std::size_t>(leaf.depth)];
            return is_on_path(leaf, key, leaf.depth - 1) || shared_.facts.times(key) >= 2;
        } else {
            return false;
        }
    }

    // Whether a key occurred on the path down to this depth.
    static bool is_on_path(const Leaf<S>& leaf, std::uint64_t key, int depth) {
        for (int d = 0; d <= depth; ++d)
            if (leaf.keys[static_cast<std::size_t>(d)] == key) return true;
        return false;
    }

    Shared<S>& shared_;
    E evaluator_;
    Random random_;
    Leaf<S> leaf_;
    std::array<int, S::kMaxMoves> moves_;
    std::array<Prior, S::kMaxMoves> priors_;
    std::array<std::int8_t, S::kMoveBound> first_;
    std::array<std::int32_t, S::kMaxCells> ownership_{};
    std::uint32_t owned_playouts_ = 0, plies_ = 0, simulations_ = 0;
    int deepest_ = 0;
};

}  // namespace tengen::mcts
