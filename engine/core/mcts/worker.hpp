// One thread's part of the search: walk down the tree, evaluate a leaf, carry the result back.
#pragma once

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "core/concepts.hpp"
#include "core/mcts/backup.hpp"
#include "core/mcts/choose.hpp"
#include "core/mcts/interface.hpp"
#include "core/mcts/node.hpp"

namespace tengen::mcts {

// What the threads of one search share.
template <GameState S>
struct Shared {
    explicit Shared(const S& root_state) : state(root_state) {}
    S state;          // at the root
    RootFacts facts;  // `seen` sorted
    Settings settings;
    Arena* arena = nullptr;
    std::uint32_t root = 0;
    std::atomic<bool> arena_full{false};
    std::array<std::atomic<std::int32_t>, S::kMaxCells> ownership{};
    std::atomic<std::uint32_t> owned_playouts{0};

    // Whether the root may not play this native move.
    bool is_excluded(int move) const { return !facts.permits(state.to_dense(move)); }
};

template <GameState S, LeafEvaluator<S> E>
class Worker {
public:
    Worker(Shared<S>& shared, const E& evaluator, std::uint64_t seed)
        : shared_(shared), evaluator_(evaluator), random_(seed), scratch_(shared.state) {}

    void simulate() {
        Arena& arena = *shared_.arena;
        scratch_ = shared_.state;
        trace_.clear();
        depth_ = 0;
        std::uint32_t at = shared_.root;
        path_[0] = at;
        arena[at].visits.fetch_add(1, std::memory_order_relaxed);
        keys_[0] = scratch_.repetition_key();
        while (depth_ + 1 < kMaxDepth) {
            Node& node = arena[at];
            if (!node.has_children()) {
                if (scratch_.is_terminal()) break;
                const auto visits = node.visits.load(std::memory_order_relaxed);
                if (at != shared_.root && visits < shared_.settings.expand_visits) break;
                if (!expand(node, at == shared_.root)) break;
            }
            const std::uint32_t child = choose<E>(arena, node, shared_.settings, at == shared_.root);
            if (!child) break;
            Node& next = arena[child];
            next.visits.fetch_add(1, std::memory_order_relaxed);
            trace_.add(next.move, scratch_.to_move());
            scratch_.play(next.move);
            at = child;
            path_[++depth_] = at;
            keys_[depth_] = scratch_.repetition_key();
            if (has_recurred()) return backup(0, Judgement{0, 0});  // no proof: another way here may repeat nothing
            if (next.proof.load(std::memory_order_relaxed)) break;
        }
        finish(arena[at]);
    }

    void flush_ownership() {
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
    static constexpr int kMaxDepth = 1024;

    void finish(Node& leaf) {
        const int leaf_mover = scratch_.to_move() ^ 1;
        float margin;
        Judgement judgement{0, 0};
        if (scratch_.is_terminal()) {
            margin = scratch_.margin() + shared_.facts.komi_shift;
            prove(leaf, leaf_mover, margin);
        } else if (const int proof = depth_ > 0 ? leaf.proof.load(std::memory_order_relaxed) : 0) {
            margin = leaf.margin.load(std::memory_order_relaxed);
            if (ValueEvaluator<E> || (margin > 0) != ((proof > 0) == (leaf_mover == 0)))
                margin = (proof > 0) == (leaf_mover == 0) ? 1.0f : -1.0f;
        } else if (solve(margin)) {
            prove(leaf, leaf_mover, margin);
        } else {
            if constexpr (requires { evaluator_.judge(scratch_); }) judgement = evaluator_.judge(scratch_);
            margin = evaluator_.evaluate(scratch_, random_, trace_) + shared_.facts.komi_shift;
            evaluator_.add_ownership(scratch_, ownership_.data());
            if (++owned_playouts_ == 64) flush_ownership();
        }
        backup(margin, judgement);
    }

    // Ask an evaluator that has a `solve(state, margin)` whether it knows how the game ends with best play. Its margin
    // may be a bound on the winner's side of the draw, which means nothing once points are given to one side.
    bool solve(float& margin) {
        if constexpr (requires {
                          { evaluator_.solve(scratch_, margin) } -> std::same_as<bool>;
                      })
            return shared_.facts.komi_shift == 0 && evaluator_.solve(scratch_, margin);
        else
            return false;
    }

    // A known end is a proof, unless it is a draw.
    void prove(Node& leaf, int leaf_mover, float margin) {
        if (depth_ > 0 && margin != 0)
            leaf.proof.store(static_cast<std::int8_t>((margin > 0) == (leaf_mover == 0) ? 1 : -1),
                             std::memory_order_relaxed);
    }

    void backup(float margin, Judgement judgement) {
        Arena& arena = *shared_.arena;
        double value0 = value_of<E>(margin, shared_.settings.margin_weight, shared_.state.cells());
        value0 += static_cast<double>(judgement.share) * (static_cast<double>(judgement.win) - value0);
        const int root_player = shared_.state.to_move();
        if constexpr (E::kUsesAmaf) {
            first_.fill(-1);
            for (int i = trace_.size() - 1; i >= depth_; --i)
                first_[static_cast<std::size_t>(trace_.move(i))] = static_cast<std::int8_t>(trace_.player(i));
        }
        for (int d = depth_; d >= 0; --d) {
            Node& node = arena[path_[static_cast<std::size_t>(d)]];
            const int mover = root_player ^ (d & 1) ^ 1;  // who moved into the node
            const double value = mover == 0 ? value0 : 1.0 - value0;
            node.value.fetch_add(static_cast<std::int64_t>(value * Node::kUnit), std::memory_order_relaxed);
            const float count = static_cast<float>(node.visits.load(std::memory_order_relaxed));
            const float mean = node.margin.load(std::memory_order_relaxed);
            node.margin.store(mean + (margin - mean) / std::max(count, 1.0f), std::memory_order_relaxed);
            if (d < depth_ && d > 0) update_proof(arena, node, arena[path_[static_cast<std::size_t>(d + 1)]]);
            if constexpr (E::kUsesAmaf) {
                if (d < depth_)
                    first_[static_cast<std::size_t>(trace_.move(d))] = static_cast<std::int8_t>(trace_.player(d));
                if (node.has_children()) update_amaf<S>(arena, node, first_, mover ^ 1, 1.0 - value);
            }
        }
    }

    bool expand(Node& node, bool at_root) {
        std::uint32_t expected = Node::kNoChildren;
        if (!node.children.compare_exchange_strong(expected, Node::kExpanding, std::memory_order_acquire))
            return expected > Node::kExpanding || (at_root && wait_for_children(node));
        bool complete = S::kCandidatesComplete;
        int found = find_moves(node, at_root, complete);
        if (found < 0) {  // proved instead
            node.children.store(Node::kNoChildren, std::memory_order_release);
            return false;
        }
        const std::uint32_t begin = found ? shared_.arena->allocate(found) : 0;
        if (!begin) {
            if (found) shared_.arena_full.store(true, std::memory_order_relaxed);
            node.children.store(Node::kNoChildren, std::memory_order_release);
            return false;
        }
        for (int i = found - 1; i > 0; --i)
            std::swap(moves_[static_cast<std::size_t>(i)], moves_[random_.below(static_cast<std::uint32_t>(i + 1))]);
        evaluator_.priors(scratch_, std::span<const int>(moves_.data(), static_cast<std::size_t>(found)),
                          priors_.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
            Node& child = (*shared_.arena)[begin + static_cast<std::uint32_t>(i)];
            child.reset(moves_[i], priors_[i].wins, priors_[i].visits);
            child.excluded = at_root && shared_.is_excluded(moves_[i]);
        }
        node.child_count = static_cast<std::uint16_t>(found);
        node.complete = complete;
        node.children.store(begin, std::memory_order_release);
        return true;
    }

    // The moves worth a search, in moves_; -1 when the position is proved instead, which the node then says.
    int find_moves(Node& node, bool at_root, bool& complete) {
        int found;
        if constexpr (Adviser<E, S>) {
            const Advice advice = evaluator_.advise(scratch_, at_root, moves_.data());
            if (advice.proof && !at_root) {
                node.proof.store(static_cast<std::int8_t>(-advice.proof), std::memory_order_relaxed);
                return -1;
            }
            found = advice.count;
            complete = advice.complete || advice.proof > 0;
        } else {
            found = scratch_.candidate_moves(moves_.data());
        }
        found = static_cast<int>(
            std::remove_if(moves_.begin(), moves_.begin() + found, [&](int m) { return repeats(m); }) - moves_.begin());
        if constexpr (Adviser<E, S>) {
            if (at_root &&
                std::all_of(moves_.begin(), moves_.begin() + found, [&](int m) { return shared_.is_excluded(m); }))
                found = add_allowed_moves(complete);
        }
        return found;
    }

    // The advice leaves nothing that the root may play: every legal move instead.
    int add_allowed_moves(bool& complete) {
        int found = 0;
        complete = true;
        for (int dense = 0; dense < scratch_.move_bound(); ++dense) {
            const int move = scratch_.from_dense(dense);
            if (scratch_.is_legal(move) && !repeats(move)) moves_[static_cast<std::size_t>(found++)] = move;
        }
        return found;
    }

    // Another thread expands the root: without its children there is nothing to do.
    static bool wait_for_children(const Node& node) {
        while (node.children.load(std::memory_order_acquire) == Node::kExpanding) std::this_thread::yield();
        return node.has_children();
    }

    // Whether the rules forbid the move because it repeats a position.
    bool repeats(int move) const {
        if (DrawsByRepetition<S> || !scratch_.may_repeat(move)) return false;
        return is_known(scratch_.repetition_key_after(move), depth_);
    }

    // Whether the position just reached is a draw because it was there before: once is enough, since who could avoid
    // it the second time could have avoided it now.
    bool has_recurred() const {
        if constexpr (DrawsByRepetition<S>)
            return is_known(keys_[static_cast<std::size_t>(depth_)], depth_ - 1);
        else
            return false;
    }

    // Whether a key occurred on the path down to this depth, or in the game.
    bool is_known(std::uint64_t key, int depth) const {
        for (int d = 0; d <= depth; ++d)
            if (keys_[static_cast<std::size_t>(d)] == key) return true;
        const auto& seen = shared_.facts.seen;
        return std::binary_search(seen.begin(), seen.end(), key);
    }

    Shared<S>& shared_;
    E evaluator_;
    Random random_;
    S scratch_;
    Trace trace_;
    int depth_ = 0;
    std::array<std::uint32_t, kMaxDepth> path_;
    std::array<std::uint64_t, kMaxDepth> keys_;
    std::array<int, S::kMaxMoves> moves_;
    std::array<Prior, S::kMaxMoves> priors_;
    std::array<std::int8_t, S::kMoveBound> first_;
    std::array<std::int32_t, S::kMaxCells> ownership_{};
    std::uint32_t owned_playouts_ = 0;
};

}  // namespace tengen::mcts
