// What ends the search of a node before its moves are tried, or leaves a move out. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// Doing nothing is good enough already: then some move is, too. It proves no win.
template <Position P>
bool NodeSearch<P>::is_refuted_by_nothing(const Node& node, Score beta) {
    if constexpr (MayDoNothing<P>) {
        if (node.depth < tuning_.null_depth || is_decisive(beta) || !position_.may_do_nothing() || node.now < beta)
            return false;
        const int rest = node.depth - tuning_.null_less - node.depth / tuning_.null_divisor -
                         std::min((node.now - beta) / tuning_.null_unit, tuning_.null_most);
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
    requires(ReadsExchanges<P> && JudgesNodes<P>)
{
    const Score bar = beta + tuning_.probcut_margin;
    if (node.depth < tuning_.probcut_depth || is_decisive(beta)) return false;
    const int found_at = node.depth - tuning_.probcut_less + 1;  // the capture and what is searched after it
    if (is_known && known.depth >= found_at && known.score < bar) return false;
    Moves<P> moves(position_, learned_, node.first_takes ? node.first : kNoMove);
    for (int i = 0; i < moves.size(); ++i) {
        const int move = moves.at(i);
        if (!position_.gains(move, bar - node.now)) continue;
        Score score = 0;
        with(move, node.depth, node.ply, [&](int) {
            score = -settle_after(-bar, -bar + 1, node.ply + 1);
            if (score >= bar && !is_aborted_)
                score = -search<false>(found_at - 1, -bar, -bar + 1, node.ply + 1, node.level, true, !node.is_cut);
        });
        if (is_aborted_) return false;
        if (score < bar) continue;
        run_.table.store(position_.key(), {move, to_table(score, node.ply), found_at, node.level, Limit::lower});
        cut = score;
        return true;
    }
    return false;
}

// The table knows a move that is good enough.
template <Position P>
bool NodeSearch<P>::is_refuted_by_known(int depth, Score beta, int level, Score& cut) const {
    if constexpr (KnowsKeysAfter<P>) {
        if (depth < tuning_.etc_depth || is_decisive(beta) || !has_choice()) return false;
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
        if (level == 0 || foretelling_ >= tuning_.probcut_nested || is_decisive(alpha) || is_decisive(beta))
            return false;
        const Foretelling by = position_.foretelling(depth);
        if (by.deviation <= 0 || by.depth >= depth) return false;
        const auto margin =
            static_cast<Score>(std::ceil(run_.lookups.deviations[static_cast<std::size_t>(level)] * by.deviation));
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
    requires JudgesNodes<P>
{
    if (is_decisive(alpha) || is_decisive(beta)) return false;
    if (depth <= tuning_.reverse_depth && now - tuning_.reverse_margin * (depth - improves) >= beta) {
        cut = beta + (now - beta) * tuning_.reverse_share / 100;
        return true;
    }
    if (depth <= tuning_.razor_depth && now + tuning_.razor_base + tuning_.razor_slope * depth * depth < alpha) {
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
    requires(JudgesNodes<P> || ReadsExchanges<P>)
{
    const Tuning& t = tuning_;
    const bool is_plain = is_quiet && !gives_trouble(move);
    if constexpr (JudgesNodes<P>)
        if (is_plain) {
            const int most = t.late_base + depth * depth;
            if (tried >= (improves ? most : most * t.late_share / 100)) return true;  // late-move pruning
            if (reduced <= t.futility_depth && now + t.futility_base + t.futility_slope * reduced <= alpha) return true;
            if (depth <= t.history_depth && history < -t.history_bar * depth) return true;
        }
    if constexpr (ReadsExchanges<P>) {
        if (is_plain) return reduced <= t.see_depth && !position_.gains(move, -t.see_quiet * reduced * reduced);
        return depth <= t.see_depth && !position_.gains(move, -t.see_tactical * depth);
    }
    return false;
}

// The move of the table is the only good one: without it a shallower search stays well below what the table knows. Then
// it is looked at a ply deeper (two where far below); with `cut`, the others are good enough, too.
template <Position P>
int NodeSearch<P>::singular(const Node& node, Score beta, const Stored& known, Score& cut)
    requires ExtendsSingular<P>
{
    const Score bar = known.score - static_cast<Score>(node.depth * tuning_.singular_margin);
    const int shallow = static_cast<int>((node.depth - 1) * tuning_.singular_share);
    const auto here = static_cast<std::size_t>(node.ply);
    excluded_[here] = known.move;
    const Score score = search<false>(shallow, bar - 1, bar, node.ply, node.level, false, node.is_cut);
    excluded_[here] = kNoMove;
    if (is_aborted_) return 0;
    if (score < bar) return 1 + (score < bar - tuning_.singular_double && may_extend(node.ply));
    if (bar >= beta) cut = bar;
    return known.score >= beta ? -1 : 0;
}

}  // namespace tengen::alphabeta
