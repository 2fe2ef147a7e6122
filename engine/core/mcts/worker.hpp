// One thread's part of the search, in three steps: walk down to a leaf, evaluate it, carry the result back.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/mcts/backup.hpp"
#include "core/mcts/expand.hpp"
#include "core/mcts/leaf.hpp"

namespace tengen::mcts {

template <GameState S, LeafEvaluator<S> E>
class Worker {
public:
    Worker(Shared<S>& shared, const E& evaluator, std::uint64_t seed)
        : shared_(shared), evaluator_(evaluator), expander_(shared, evaluator_), random_(seed), leaf_(shared.state) {}
    Worker(const Worker&) = delete;  // its expander asks its evaluator
    Worker& operator=(const Worker&) = delete;

    // The three steps of a simulation in one.
    void simulate() {
        descend(leaf_);
        const std::optional<Outcome> end = known(leaf_);
        back_up(leaf_, end ? *end : estimate(leaf_));
        note_depth(leaf_);
        if (simulations_ == kFlushEvery) flush();
    }

    // Stand at the root as at a leaf; no visit is in flight.
    void stand_at_root(Leaf<S>& leaf) {
        reset(leaf);
        leaf.path[0] = shared_.root;
        leaf.keys[0] = leaf.state.repetition_key();
    }

    // Walk down to a leaf; every node on the way has one more visit in flight, until `back_up`.
    void descend(Leaf<S>& leaf) {
        Arena& arena = *shared_.arena;
        reset(leaf);
        begin(leaf, shared_.root);
        while (leaf.depth + 1 < Leaf<S>::kMaxDepth) {
            Node& node = arena.node(leaf.node());
            const bool at_root = leaf.depth == 0;
            if (!node.has_edges()) {
                if (!kIsStepped || leaf.state.is_terminal()) break;
                if (!at_root && node.started() < shared_.settings.expand_visits) break;
                if (!give_moves(leaf)) break;
            }
            const auto* excluded = at_root ? &shared_.excluded : nullptr;
            const int player = leaf.state.to_move();
            std::uint32_t chosen = 0;
            if constexpr (AwaitedEvaluator<E>)
                if (at_root && shared_.root_rule) chosen = shared_.root_rule->next(arena, node, *excluded);
            if (!chosen) chosen = choose(arena, node, rule(), evaluator_, excluded, player);
            if (!chosen) break;
            std::uint32_t next = node_below(arena.edge(chosen));
            if (!next && !AwaitedEvaluator<E>) {  // no memory for it: the best of those that are there
                chosen = choose<true>(arena, node, rule(), evaluator_, excluded, player);
                next = chosen ? node_below(arena.edge(chosen)) : 0;
            }
            if (!next) break;
            const Edge& edge = arena.edge(chosen);
            leaf.trace.add(edge.move, leaf.state.to_move());
            leaf.state.play(edge.move);
            ++leaf.depth;
            begin(leaf, next);
            leaf.has_recurred = recurs(shared_.facts, leaf);
            if (leaf.has_recurred || arena.node(next).proof.load(std::memory_order_relaxed).is_exact()) break;
        }
    }

    // The known end of the game from the leaf: by the rules, by a proof or by a solver.
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

    // The estimated end by the evaluator, which may play the leaf's state out.
    Outcome estimate(Leaf<S>& leaf) {
        Outcome out;
        if constexpr (AnsweringEvaluator<E, S>) {
            const std::optional<float> margin = expander_.answer(leaf);
            if (!margin) return known(leaf).value_or(out);  // proved
            out.margin = *margin + shared_.facts.komi_shift;
            if (!ValueEvaluator<E> && out.margin == 0) out.draw = 1;
        } else if constexpr (SteppedEvaluator<E, S>) {
            estimate_by_steps(leaf, out);
        }
        evaluator_.add_ownership(leaf.state, ownership_.data());
        ++owned_playouts_;
        return out;
    }

    // Give a leaf its moves, with how likely each is: softmax of logit(native move).
    template <class Logit>
    void expand(const Leaf<S>& leaf, const Logit& logit) {
        expander_.expand(leaf, logit);
    }

    // Count an awaited evaluator's owners: owner(cell) from -1 to 1, + = player 0.
    template <class Owner>
    void add_owners(const Owner& owner) {
        for (int i = 0; i < shared_.state.cells(); ++i)
            ownership_[static_cast<std::size_t>(i)] +=
                static_cast<std::int32_t>(std::lround(owner(i) * static_cast<float>(kOwnerUnit<E>)));
        ++owned_playouts_;
    }

    // Count how far a simulation has looked.
    void note_depth(const Leaf<S>& leaf) {
        plies_ += static_cast<std::uint32_t>(leaf.depth);
        deepest_ = std::max(deepest_, leaf.depth);
        ++simulations_;
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
        value0 = judgement.share < 1 ? value0 + judgement.share * (judgement.win - value0) : judgement.win;
        const int root_player = shared_.state.to_move();
        if constexpr (E::kUsesAmaf) {
            first_.fill(-1);
            for (int i = leaf.trace.size() - 1; i >= leaf.depth; --i)
                first_[static_cast<std::size_t>(leaf.trace.move(i))] = static_cast<std::int8_t>(leaf.trace.player(i));
        }
        [[maybe_unused]] double below = 0;  // see `correct`
        for (int d = leaf.depth; d >= 0; --d) {
            Node& node = arena.node(leaf.path[static_cast<std::size_t>(d)]);
            const int mover = root_player ^ (d & 1) ^ 1;  // who moved into the node
            const double value = mover == 0 ? value0 : 1.0 - value0;
            count(node, arena.spread(node), value, outcome, is_alone());
            if constexpr (AwaitedEvaluator<E>) {
                Spread& spread = *arena.spread(node);
                if (d == leaf.depth && outcome.is_said) note_said(spread, shared_.biases, rule().bias, value0, outcome);
                below = correct(node, spread, shared_.biases, rule().bias, mover, below);
            }
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
    static constexpr bool kIsStepped = !AwaitedEvaluator<E> && !AnsweringEvaluator<E, S>;
    static constexpr std::uint32_t kFlushEvery = 64;  // simulations

    bool give_moves(const Leaf<S>& leaf) {
        if constexpr (kIsStepped)
            return expander_.expand(leaf, random_);
        else
            return false;
    }

    void estimate_by_steps(Leaf<S>& leaf, Outcome& out) {
        if constexpr (JudgingEvaluator<E, S>) out.judgement = evaluator_.judge(leaf.state);
        out.margin = evaluator_.evaluate(leaf.state, random_, leaf.trace) + shared_.facts.komi_shift;
        if (!ValueEvaluator<E> && out.margin == 0) out.draw = static_cast<float>(1 - out.judgement.share);
    }

    void reset(Leaf<S>& leaf) {
        leaf.state = shared_.state;
        leaf.trace.clear();
        leaf.has_recurred = false;
        leaf.depth = 0;
    }

    // The rule of this evaluator; Family::defaults has made it so.
    const auto& rule() const { return *std::get_if<typename RuleOf<E>::Settings>(&shared_.settings.rule); }
    bool is_alone() const { return shared_.settings.threads <= 1; }

    void begin(Leaf<S>& leaf, std::uint32_t node) {
        const auto depth = static_cast<std::size_t>(leaf.depth);
        leaf.path[depth] = node;
        leaf.keys[depth] = leaf.state.repetition_key();
        add(shared_.arena->node(node).in_flight, std::uint16_t{1}, is_alone());
    }

    // The node below an edge, made at the first visit. 0: there is no memory for it.
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

    Shared<S>& shared_;
    E evaluator_;
    Expander<S, E> expander_;
    Random random_;
    Leaf<S> leaf_;
    std::array<std::int8_t, S::kMoveBound> first_;
    std::array<std::int32_t, S::kMaxCells> ownership_{};
    std::uint32_t owned_playouts_ = 0, plies_ = 0, simulations_ = 0;
    int deepest_ = 0;
};

}  // namespace tengen::mcts
