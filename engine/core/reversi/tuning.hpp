// The numbers of Reversi's alpha-beta search (core/alphabeta/constants.hpp says what each does), in units of a disc's
// kDisc-th where they are scores, and where each is from. "usual": as engines usually have it, not measured alone.
#pragma once

#include "core/alphabeta/tuning.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/search/options.hpp"

namespace tengen::reversi {

inline constexpr alphabeta::Tuning kTuning{
    // usual
    .window = 3 * kDisc,
    .table_depth = 2,
    .time_fall_unit = 3 * kDisc,
    .etc_depth = 5,
    .probcut_nested = 2,
    // by hand: each level leaves out more; level 5 is the default
    .probcut_1 = 3.3,
    .probcut_2 = 2.6,
    .probcut_3 = 2.0,
    .probcut_4 = 1.5,
    .probcut_5 = 1.1,
};

// The numbers of the position that is searched (search_position.hpp).
struct PositionTuning {
    // Move ordering by the board, which counts order_scale times as much as history: near the leaves by the cell alone
    // (those of a quarter; the others mirror it), elsewhere by what the move leads to. By hand.
    int order_scale = 256, order_cell_depth = 1;
    int order_a1 = 18, order_b1 = 4, order_c1 = 16, order_d1 = 12, order_b2 = 2, order_c2 = 6, order_d2 = 8,
        order_c3 = 14, order_d3 = 10;
    int order_replies = 64, order_corner_replies = 64, order_corner = 96, order_frontier = 4, order_evaluation = 2,
        order_evaluation_depth = 3;

    // The solver, and depths from which a step looks to the end of the game. By the time of searches to the end.
    int solver_empties = 22, solver_empties_selective = 10;
    int end_plies = 11, end_plies_exact = 6, end_depth = 3;

    // ProbCut: shares of the standard deviation. By matches of 800 games at depth 8: 50.8 % with 0.8 up to ten plies,
    // 51.2 % with 0.7 beyond, each with fewer nodes than with all of it.
    int probcut_depth = 2, probcut_near = 4, probcut_far = 10;
    double probcut_share_near = 1, probcut_share = 0.8, probcut_share_far = 0.6;

    bool operator==(const PositionTuning&) const = default;
};

namespace position_options {
using T = PositionTuning;
inline constexpr Option<T> kAll[] = {
    {"order_scale", &T::order_scale, 0, 1000,
     "move ordering: how many times as much as history the board's part of it counts"},
    {"order_cell_depth", &T::order_cell_depth, 0, 60, "move ordering: depth up to which the cell alone decides"},
    {"order_a1", &T::order_a1, 0, 100, "move ordering by the cell: a corner"},
    {"order_b1", &T::order_b1, 0, 100, "move ordering by the cell: next to a corner on the edge (C square)"},
    {"order_c1", &T::order_c1, 0, 100, "move ordering by the cell: two from a corner on the edge (A square)"},
    {"order_d1", &T::order_d1, 0, 100, "move ordering by the cell: in the middle of an edge (B square)"},
    {"order_b2", &T::order_b2, 0, 100, "move ordering by the cell: diagonally next to a corner (X square)"},
    {"order_c2", &T::order_c2, 0, 100, "move ordering by the cell: c2 and what mirrors it"},
    {"order_d2", &T::order_d2, 0, 100, "move ordering by the cell: d2 and what mirrors it"},
    {"order_c3", &T::order_c3, 0, 100, "move ordering by the cell: c3 and what mirrors it"},
    {"order_d3", &T::order_d3, 0, 100, "move ordering by the cell: d3 and what mirrors it"},
    {"order_replies", &T::order_replies, 0, 1000, "move ordering: what is taken off for each reply that a move leaves"},
    {"order_corner_replies", &T::order_corner_replies, 0, 1000,
     "move ordering: what is taken off as well for each of these replies in a corner"},
    {"order_corner", &T::order_corner, 0, 1000, "move ordering: what a corner is worth"},
    {"order_frontier", &T::order_frontier, 0, 100,
     "move ordering: what is taken off for each empty cell next to own discs"},
    {"order_evaluation", &T::order_evaluation, 0, 100,
     "move ordering: what a score unit of the evaluation after the move counts"},
    {"order_evaluation_depth", &T::order_evaluation_depth, 1, 60,
     "move ordering: depth from which on that evaluation is asked"},
    {"solver_empties", &T::solver_empties, 0, 30,
     "empty cells up to which the solver takes over where nothing is left out"},
    {"solver_empties_selective", &T::solver_empties_selective, 0, 30,
     "empty cells up to which it takes over where something is left out"},
    {"end_plies", &T::end_plies, 0, 60,
     "plies by which a step that leaves something out looks deeper where it then reaches the end of the game"},
    {"end_plies_exact", &T::end_plies_exact, 0, 60, "the same of a step that leaves nothing out"},
    {"end_depth", &T::end_depth, 1, 60, "least depth of a step that becomes one to the end of the game"},
    {"probcut_depth", &T::probcut_depth, 2, 60, "ProbCut: least depth at which it is tried"},
    {"probcut_near", &T::probcut_near, 0, 60, "ProbCut: depth up to which probcut_share_near counts"},
    {"probcut_far", &T::probcut_far, 0, 60, "ProbCut: depth above which probcut_share_far counts"},
    {"probcut_share_near", &T::probcut_share_near, 0.1, 3, "ProbCut: share of the standard deviation at small depths"},
    {"probcut_share", &T::probcut_share, 0.1, 3, "ProbCut: share of the standard deviation at depths between"},
    {"probcut_share_far", &T::probcut_share_far, 0.1, 3, "ProbCut: share of the standard deviation at great depths"},
};
}  // namespace position_options

}  // namespace tengen::reversi
