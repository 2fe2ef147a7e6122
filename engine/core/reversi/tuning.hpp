// The numbers of Reversi's alpha-beta search (core/alphabeta/constants.hpp says what each does), in units of a disc's
// kDisc-th where they are scores, and where each is from. "usual": as engines usually have it, not measured alone.
#pragma once

#include "core/alphabeta/tuning.hpp"
#include "core/reversi/evaluation.hpp"

namespace tengen::reversi {

inline constexpr alphabeta::Tuning kTuning{
    // usual
    .window = 3 * kDisc,
    .window_depth = 4,
    .window_growth = 3,
    .table_depth = 2,
    .table_keep = 2,
    .table_age = 8,
    .killer_first = 49152,
    .killer_second = 32768,
    .counter_move = 16384,
    .history_bonus = 16,
    .history_most = 2048,
    // usual: as chess has them
    .time_soft = 0.6,
    .time_scale = 0.62,
    .time_steady_0 = 1.8,
    .time_steady_1 = 1.3,
    .time_steady_2 = 1.05,
    .time_steady_3 = 0.9,
    .time_steady_4 = 0.8,
    .time_nodes_base = 1.9,
    .time_nodes_slope = 1.5,
    .time_nodes_least = 0.5,
    .time_nodes_most = 1.6,
    .time_fall_slope = 0.8,
    .time_fall_unit = 3 * kDisc,
    .time_fall_least = 0.85,
    .time_fall_most = 1.6,
    .time_memory = 3,
    // usual
    .etc_depth = 5,
    .probcut_nested = 2,
    // by hand: each level leaves out more; level 5 is the default
    .probcut_1 = 3.3,
    .probcut_2 = 2.6,
    .probcut_3 = 2.0,
    .probcut_4 = 1.5,
    .probcut_5 = 1.1,
};

}  // namespace tengen::reversi
