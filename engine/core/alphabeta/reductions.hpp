// Late-move reductions: how many plies less a late move is searched at first. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// The later a move and the deeper the search, the more; less where history speaks for it, more where a cut is expected
// or the table's move takes something.
template <Position P>
int NodeSearch<P>::reduction(const Node& node, int move, bool quiet, int number, int history,
                             const HistoryContext& context) const {
    if constexpr (!Reduces<P>) return 0;
    if (node.depth < tuning_.lmr_depth || number < tuning_.lmr_moves) return 0;
    int less = run_.lookups.reduction(node.depth, number);
    less += node.is_cut * tuning_.lmr_cut_node - node.is_pv * tuning_.lmr_pv;
    if constexpr (PrunesByEvaluation<P>) less += !node.is_improving * tuning_.lmr_worsening;
    if constexpr (HasTactics<P>)
        less += node.is_table_move_tactical * tuning_.lmr_first_tactical - node.is_in_check * tuning_.lmr_in_check;
    if constexpr (GivesCheck<P>) less -= position_.gives_check(move) * tuning_.lmr_gives_check;
    if (quiet)
        less -= histories_.is_killer(move, context) * tuning_.lmr_killer + run_.lookups.history.of(history);
    else
        less = less * tuning_.lmr_tactical_share / 100 - tuning_.lmr_tactical;
    return std::clamp(less, 0, node.depth - 2);
}

}  // namespace tengen::alphabeta
