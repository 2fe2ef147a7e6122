// The numbers of Gomoku's alpha-beta search (core/alphabeta/constants.hpp says what each does), in units of which 300 are
// a unit of log probability where they are scores, and where each is from. "usual": as engines usually have it, not
// measured alone. Late moves are reduced far more than in chess, also those that threaten and answers to threats, and none
// is extended: together 59.0 % of 200 games at 30,000 nodes (docs/benchmarks.md).
#pragma once

#include "core/alphabeta/tuning.hpp"

namespace tengen::gomoku {

inline constexpr alphabeta::Tuning kTuning{
    // usual, but for lmr_*, root_lmr and singular_depth
    .window = 30,          .killer_first = 4096,  .killer_second = 3072,    .counter_move = 2048,
    .time_fall_unit = 100, .lmr_depth = 2,        .lmr_moves = 1,           .lmr_base = 0.5,
    .lmr_divisor = 1,      .lmr_pv = 1,           .lmr_worsening = 1,       .lmr_cut_node = 2,
    .lmr_killer = 1,       .lmr_history = 8192,   .iir_depth = 4,           .root_lmr_depth = 3,
    .root_lmr_moves = 4,   .root_lmr = 4,         .root_lmr_late_depth = 6, .root_lmr_late_moves = 12,
    .null_depth = 2,       .null_less = 3,        .null_divisor = 4,        .null_unit = 200,
    .null_most = 3,        .reverse_depth = 6,    .reverse_margin = 80,     .reverse_share = 50,
    .razor_depth = 3,      .razor_base = 200,     .razor_slope = 100,       .late_base = 6,
    .late_share = 50,      .futility_depth = 6,   .futility_base = 100,     .futility_slope = 80,
    .history_depth = 4,    .history_bar = 4000,   .singular_depth = 255,    .singular_known = 3,
    .singular_margin = 3,  .singular_share = 0.5, .singular_double = 60,    .extension_reach = 3,
};

}  // namespace tengen::gomoku
