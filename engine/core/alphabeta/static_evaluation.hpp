// The static evaluation of a node; and what its search teaches the correction history, and the history of the move before.
// Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// The evaluation, where pruning needs it.
template <Position P>
void NodeSearch<P>::evaluate_node(Node& node, bool is_known, const Stored& known) {
    if constexpr (HasTactics<P>)
        node.is_table_move_tactical = node.table_move != kNoMove && is_tactical(position_, node.table_move);
    if constexpr (PrunesByEvaluation<P>) {
        const auto here = static_cast<std::size_t>(node.ply);
        evaluations_[here] = -kInfinite;
        if (node.is_in_check) return;
        node.static_evaluation = node.evaluation = evaluations_[here] = corrected_evaluation();
        node.is_improving =
            node.ply >= 2 && evaluations_[here - 2] > -kInfinite && node.evaluation > evaluations_[here - 2];
        if (is_known && !is_decisive(known.score) &&
            (known.bound == Bound::exact || (known.bound == Bound::lower && known.score > node.evaluation) ||
             (known.bound == Bound::upper && known.score < node.evaluation)))
            node.evaluation = known.score;
    } else if constexpr (MayPlayNull<P>) {
        if (!node.is_pv && node.depth >= tuning_.null_depth && !node.is_in_check)
            node.evaluation = position_.evaluate();
    }
}

template <Position P>
Score NodeSearch<P>::corrected_evaluation() const {
    return bounded(position_.evaluate() + histories_.correction_history.of(position_));
}

// What the search found teaches how wrong the evaluation was, unless tactics made the difference.
template <Position P>
void NodeSearch<P>::update_correction_history(const Node& node, Score best, Score beta, int move) {
    if constexpr (HasCorrectionKeys<P>) {
        if (node.is_in_check || is_decisive(best) || (move != kNoMove && is_tactical(position_, move))) return;
        const bool says_little =
            best >= beta ? best <= node.static_evaluation : move == kNoMove && best >= node.static_evaluation;
        if (!says_little) histories_.correction_history.update(position_, best - node.static_evaluation, node.depth);
    }
}

// All moves failed low here: a bonus for the move before, if it was quiet.
template <Position P>
void NodeSearch<P>::update_on_fail_low(int ply, int depth) {
    if constexpr (HasContinuationHistory<P>) {
        const auto before = static_cast<std::size_t>(ply) - 1;
        if (piece_tos_[before] >= 0 && is_quiet_[before])
            histories_.update_on_fail_low(position_.to_move() ^ 1, moves_[before], piece_tos_[before], context(ply - 1),
                                          depth);
    }
}

}  // namespace tengen::alphabeta
