// What a node is worth before its moves are tried, and what is learned of that, and of the move before, once they were.
// Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// The evaluation, where cuts need it.
template <Position P>
void NodeSearch<P>::look_at(Node& node, bool is_known, const Stored& known) {
    if constexpr (HasTactics<P>) node.first_takes = node.first != kNoMove && is_tactical(position_, node.first);
    if constexpr (JudgesNodes<P>) {
        const auto here = static_cast<std::size_t>(node.ply);
        evaluations_[here] = -kInfinite;
        if (node.is_in_trouble) return;
        node.plain = node.now = evaluations_[here] = corrected_evaluation();
        node.improves = node.ply >= 2 && evaluations_[here - 2] > -kInfinite && node.now > evaluations_[here - 2];
        if (is_known && !is_decisive(known.score) &&
            (known.limit == Limit::exact || (known.limit == Limit::lower && known.score > node.now) ||
             (known.limit == Limit::upper && known.score < node.now)))
            node.now = known.score;
    } else if constexpr (MayDoNothing<P>) {
        if (!node.is_pv && node.depth >= tuning_.null_depth && !node.is_in_trouble) node.now = position_.evaluate();
    }
}

template <Position P>
Score NodeSearch<P>::corrected_evaluation() const {
    return bounded(position_.evaluate() + learned_.corrections.of(position_));
}

// What the search found teaches how wrong the evaluation was, unless tactics made the difference.
template <Position P>
void NodeSearch<P>::correct(const Node& node, Score best, Score beta, int move) {
    if constexpr (HasAspects<P>) {
        if (node.is_in_trouble || is_decisive(best) || (move != kNoMove && is_tactical(position_, move))) return;
        const bool says_little = best >= beta ? best <= node.plain : move == kNoMove && best >= node.plain;
        if (!says_little) learned_.corrections.learn(position_, best - node.plain, node.depth);
    }
}

// All moves have failed here: the one before, if it was quiet, was a good one.
template <Position P>
void NodeSearch<P>::praise_previous(int ply, int depth) {
    if constexpr (RemembersDeeds<P>) {
        const auto before = static_cast<std::size_t>(ply) - 1;
        if (deeds_[before] >= 0 && is_quiet_[before])
            learned_.praise(position_.to_move() ^ 1, moves_[before], deeds_[before], scene(ply - 1), depth);
    }
}

}  // namespace tengen::alphabeta
