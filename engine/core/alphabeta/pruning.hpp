// Pruning of nodes before their moves are searched, and of single moves. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// Null-move pruning: passing is good enough already, so some move is, too. It proves no win.
template <Position P>
bool NodeSearch<P>::is_cut_by_null_move(const Node& node, Score beta) {
    if constexpr (MayPlayNull<P>) {
        if (node.depth < tuning_.null_depth || is_decisive(beta) || !position_.may_play_null() ||
            node.evaluation < beta)
            return false;
        const int rest = node.depth - tuning_.null_less - node.depth / tuning_.null_divisor -
                         std::min((node.evaluation - beta) / tuning_.null_unit, tuning_.null_most);
        const auto here = static_cast<std::size_t>(node.ply);
        typename P::Undo undo;
        position_.play_null(undo);
        moves_[here] = piece_tos_[here] = -1;
        if constexpr (MayRepeat<P>) this->keys_[here + 1] = position_.repetition_key();
        const Score score =
            -search<false>(std::max(rest, 0), -beta, -beta + 1, node.ply + 1, node.level, false, !node.is_cut);
        position_.undo_null(undo);
        return !is_aborted_ && score >= beta;
    }
    return false;
}

// ProbCut by captures: after one, a shallow search stays far above the window, so a deep one would hardly come back.
template <Position P>
bool NodeSearch<P>::is_cut_by_captures(const Node& node, Score beta, bool is_known, const Stored& known, Score& cut)
    requires(EvaluatesExchanges<P> && PrunesByEvaluation<P>)
{
    const Score bar = beta + tuning_.probcut_margin;
    if (node.depth < tuning_.probcut_depth || is_decisive(beta)) return false;
    const int found_at = node.depth - tuning_.probcut_less + 1;  // the capture and what is searched after it
    if (is_known && known.depth >= found_at && known.score < bar) return false;
    MovePicker<P> moves(position_, histories_, node.is_table_move_tactical ? node.table_move : kNoMove);
    for (int move = moves.next(); move != kNoMove; move = moves.next()) {
        if (!position_.see_ge(move, bar - node.evaluation)) continue;
        Score score = 0;
        with(move, node.depth, node.ply, [&](int) {
            score = -quiescence_below(-bar, -bar + 1, node.ply + 1);
            if (score >= bar && !is_aborted_)
                score = -search<false>(found_at - 1, -bar, -bar + 1, node.ply + 1, node.level, true, !node.is_cut);
        });
        if (is_aborted_) return false;
        if (score < bar) continue;
        run_.table.store(position_.key(), {move, to_table(score, node.ply), found_at, node.level, Bound::lower});
        cut = score;
        return true;
    }
    return false;
}

// Enhanced transposition cut-off: the table knows a move that is good enough.
template <Position P>
bool NodeSearch<P>::is_cut_by_children(int depth, Score beta, int level, Score& cut) const {
    if constexpr (KnowsKeysAfter<P>) {
        if (depth < tuning_.etc_depth || is_decisive(beta) || !has_choice()) return false;
        std::array<int, P::kMaxMoves> moves;
        std::array<std::uint64_t, P::kMaxMoves> keys;
        const auto count = static_cast<std::size_t>(position_.moves(moves.data()));
        for (std::size_t i = 0; i < count; ++i) run_.table.prefetch(keys[i] = position_.key_after(moves[i]));
        for (std::size_t i = 0; i < count; ++i) {
            Stored known;
            if (!run_.table.find(keys[i], known)) continue;
            const bool bounds = known.bound == Bound::upper || known.bound == Bound::exact;
            if (!bounds || known.depth < depth - 1 || known.level > level || -known.score < beta) continue;
            cut = -known.score;
            return true;
        }
    }
    return false;
}

// ProbCut: a shallow search is so far from the window that the deep one would hardly come back.
template <Position P>
bool NodeSearch<P>::is_cut_by_probcut(int depth, Score alpha, Score beta, int ply, int level, Score& cut) {
    if constexpr (HasProbCut<P>) {
        if (level == 0 || probcut_nesting_ >= tuning_.probcut_nested || is_decisive(alpha) || is_decisive(beta))
            return false;
        const ProbCutCheck by = position_.probcut_check(depth);
        if (by.deviation <= 0 || by.depth >= depth) return false;
        const auto margin =
            static_cast<Score>(std::ceil(run_.lookups.deviations[static_cast<std::size_t>(level)] * by.deviation));
        const Score now = bounded(position_.evaluate()), above = beta + margin, below = alpha - margin;
        ++probcut_nesting_;
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
        --probcut_nesting_;
        return found && !is_aborted_;
    }
    return false;
}

// The evaluation is so far above the window that a move will hardly bring it back (reverse futility), or so far below
// that only tactics could (razoring).
template <Position P>
bool NodeSearch<P>::is_cut_by_evaluation(int depth, Score alpha, Score beta, int ply, Score evaluation,
                                         bool is_improving, Score& cut)
    requires PrunesByEvaluation<P>
{
    if (is_decisive(alpha) || is_decisive(beta)) return false;
    if (depth <= tuning_.reverse_depth && evaluation - tuning_.reverse_margin * (depth - is_improving) >= beta) {
        cut = beta + (evaluation - beta) * tuning_.reverse_share / 100;
        return true;
    }
    if (depth <= tuning_.razor_depth && evaluation + tuning_.razor_base + tuning_.razor_slope * depth * depth < alpha) {
        const Score score = quiescence(alpha, alpha + 1, ply);
        cut = score;
        return !is_aborted_ && score <= alpha;
    }
    return false;
}

// Late-move pruning: whether so many moves were tried that the quiet ones left, but for checks, are not.
template <Position P>
bool NodeSearch<P>::is_late(int tried, int depth, bool is_improving) const {
    if constexpr (!PrunesByEvaluation<P>) return false;
    const int most = tuning_.late_base + depth * depth;
    return tried >= (is_improving ? most : most * tuning_.late_share / 100);
}

// Futility, history and SEE pruning of a move, once some other has been searched.
template <Position P>
bool NodeSearch<P>::is_pruned(int move, bool is_quiet, int depth, int reduced, Score alpha, Score evaluation,
                              int history) const
    requires(PrunesByEvaluation<P> || EvaluatesExchanges<P>)
{
    const Tuning& t = tuning_;
    const bool is_plain = is_quiet && !gives_check(move);
    if constexpr (PrunesByEvaluation<P>)
        if (is_plain) {
            if (reduced <= t.futility_depth && evaluation + t.futility_base + t.futility_slope * reduced <= alpha)
                return true;
            if (depth <= t.history_depth && history < -t.history_bar * depth) return true;
        }
    if constexpr (EvaluatesExchanges<P>) {
        if (is_plain) return reduced <= t.see_depth && !position_.see_ge(move, -t.see_quiet * reduced * reduced);
        return depth <= t.see_depth && !position_.see_ge(move, -t.see_tactical * depth);
    }
    return false;
}

// Plies by which the table's move is extended: 1 where it is singular, since a shallower search without it stays well below
// what the table knows, and 2 where far below; -1 where it is not. Multi-cut: `cut` is set where other moves fail high, too.
template <Position P>
int NodeSearch<P>::singular_extension(const Node& node, Score beta, const Stored& known, Score& cut)
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
