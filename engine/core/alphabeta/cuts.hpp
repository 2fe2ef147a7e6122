// What ends the search of a node before its moves are tried, or leaves a move out. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// Doing nothing is good enough already: then some move is, too. It proves no win.
template <Position P>
bool NodeSearch<P>::is_refuted_by_nothing(const Node& node, Score beta) {
    if constexpr (MayDoNothing<P>) {
        if (node.depth < 3 || is_decisive(beta) || !position_.may_do_nothing() || node.now < beta) return false;
        int rest = node.depth - 3 - node.depth / 4;
        if constexpr (Prunes<P>)
            rest = node.depth - 4 - node.depth / 3 - std::min((node.now - beta) * 5 / (11 * P::kPlyWorth), 3);
        const auto here = static_cast<std::size_t>(node.ply);
        typename P::Undo undo;
        position_.do_nothing(undo);
        moves_[here] = deeds_[here] = -1;
        if constexpr (MayRepeat<P>) this->keys_[here + 1] = position_.repetition_key();
        const Score score =
            -search<false>(std::max(rest, 0), -beta, -beta + 1, node.ply + 1, node.level, false, !node.is_cut);
        position_.undo_nothing(undo);
        return !is_aborted_ && score >= beta;
    }
    return false;
}

// Taking something is so good that a shallow search stays far above the window: a deep one would hardly come back
// (ProbCut).
template <Position P>
bool NodeSearch<P>::is_refuted_by_taking(const Node& node, Score beta, bool is_known, const Stored& known, Score& cut)
    requires Prunes<P>
{
    const Score bar = beta + kTakingMargin * P::kPlyWorth / 100;
    if (node.depth < 5 || is_decisive(beta)) return false;
    if (is_known && known.depth >= node.depth - 3 && known.score < bar) return false;
    Moves<P> moves(position_, learned_, node.first_takes ? node.first : kNoMove);
    for (int i = 0; i < moves.size(); ++i) {
        const int move = moves.at(i);
        if (!position_.gains(move, bar - node.now)) continue;
        Score score = 0;
        with(move, node.depth, node.ply, [&](int) {
            score = -settle_after(-bar, -bar + 1, node.ply + 1);
            if (score >= bar && !is_aborted_)
                score = -search<false>(node.depth - 4, -bar, -bar + 1, node.ply + 1, node.level, true, !node.is_cut);
        });
        if (is_aborted_) return false;
        if (score < bar) continue;
        run_.table.store(position_.key(),
                         {move, to_table(score, node.ply), node.depth - 3, node.level, Limit::lower});
        cut = score;
        return true;
    }
    return false;
}

// The table knows a move that is good enough.
template <Position P>
bool NodeSearch<P>::is_refuted_by_known(int depth, Score beta, int level, Score& cut) const {
    if constexpr (KnowsKeysAfter<P>) {
        if (depth < P::kEnhancedDepth || is_decisive(beta) || !has_choice()) return false;
        std::array<int, P::kMaxMoves> moves;
        std::array<std::uint64_t, P::kMaxMoves> keys;
        const auto count = static_cast<std::size_t>(position_.moves(moves.data()));
        for (std::size_t i = 0; i < count; ++i) run_.table.prefetch(keys[i] = position_.key_after(moves[i]));
        for (std::size_t i = 0; i < count; ++i) {
            Stored known;
            if (!run_.table.find(keys[i], known)) continue;
            const bool bounds = known.limit == Limit::upper || known.limit == Limit::exact;
            if (!bounds || known.depth < depth - 1 || known.level > level || -known.score < beta) continue;
            cut = -known.score;
            return true;
        }
    }
    return false;
}

// A shallow search is so far from the window that the deep one would hardly come back.
template <Position P>
bool NodeSearch<P>::is_foretold(int depth, Score alpha, Score beta, int ply, int level, Score& cut) {
    if constexpr (Foretells<P>) {
        if (level == 0 || foretelling_ >= 2 || is_decisive(alpha) || is_decisive(beta)) return false;
        const Foretelling by = position_.foretelling(depth);
        if (by.deviation <= 0 || by.depth >= depth) return false;
        const auto margin =
            static_cast<Score>(std::ceil(kConfidence[static_cast<std::size_t>(level)] * by.deviation));
        const Score now = bounded(position_.evaluate()), above = beta + margin, below = alpha - margin;
        ++foretelling_;
        bool found = false;
        const auto shallow = [&](Score bound) {  // whether it is more than that
            return by.depth ? search<false>(by.depth, bound, bound + 1, ply, level, false) : now;
        };
        if (now >= beta && above < kLargest && shallow(above - 1) >= above) {
            cut = beta;
            found = true;
        } else if (!is_aborted_ && now <= alpha && below > -kLargest && shallow(below) <= below) {
            cut = alpha;
            found = true;
        }
        --foretelling_;
        return found && !is_aborted_;
    }
    return false;
}

// The evaluation is so far above the window that a move will hardly bring it back (reverse futility), or so far below
// that only tactics could (razoring).
template <Position P>
bool NodeSearch<P>::is_clear(int depth, Score alpha, Score beta, int ply, Score now, bool improves, Score& cut)
    requires Prunes<P>
{
    if (is_decisive(alpha) || is_decisive(beta)) return false;
    if (depth <= kClearDepth && now - P::kPlyWorth * 2 / 3 * (depth - improves) >= beta) {
        cut = beta + (now - beta) / 2;
        return true;
    }
    if (depth <= kHopelessDepth && now + P::kPlyWorth * (3 + 2 * depth * depth) < alpha) {
        const Score score = settle(alpha, alpha + 1, ply);
        cut = score;
        return !is_aborted_ && score <= alpha;
    }
    return false;
}

// A move that is not worth a search here: too late, hopeless, or losing by exchanges. Some other has been searched.
template <Position P>
bool NodeSearch<P>::is_left_out(int move, bool is_quiet, int tried, int depth, int reduced, Score alpha, Score now,
                                bool improves, int history) const
    requires Prunes<P>
{
    if (is_quiet) {
        if (position_.troubles(move)) return depth <= kExchangeDepth && !position_.gains(move, -P::kPlyWorth * depth);
        if (tried >= (4 + depth * depth) / (improves ? 1 : 2)) return true;  // late-move pruning
        if (reduced <= kClearDepth && now + P::kPlyWorth * (17 + 10 * reduced) / 10 <= alpha) return true;  // futility
        if (depth <= 4 && history < -Learned<P>::kMost / 5 * depth) return true;
        return reduced <= kExchangeDepth && !position_.gains(move, -P::kPlyWorth * 2 / 7 * reduced * reduced);
    }
    return depth <= kExchangeDepth && !position_.gains(move, -P::kPlyWorth * depth);
}

// The move of the table is the only good one: without it a shallower search stays well below what the table knows. Then
// it is looked at a ply deeper (two where far below); with `cut`, the others are good enough, too.
template <Position P>
int NodeSearch<P>::singular(const Node& node, Score beta, const Stored& known, Score& cut)
    requires Prunes<P>
{
    const Score bar = known.score - node.depth * P::kPlyWorth / 42;
    const auto here = static_cast<std::size_t>(node.ply);
    excluded_[here] = known.move;
    const Score score =
        search<false>((node.depth - 1) / 2, bar - 1, bar, node.ply, node.level, false, node.is_cut);
    excluded_[here] = kNoMove;
    if (is_aborted_) return 0;
    if (score < bar) return 1 + (score < bar - P::kPlyWorth / 3 && node.ply < root_depth_ * 2);
    if (bar >= beta) cut = bar;
    return known.score >= beta ? -1 : 0;
}

}  // namespace tengen::alphabeta
