// The numbers of chess's alpha-beta search (core/alphabeta/constants.hpp says what each does), in centipawns where they
// are scores, and where each is from.
//
// Sources. "games": one of 17 numbers that were set at random against their opposites in 912 games of 15,000 nodes a
// move, and again around what was found in 784; all of them together gave +39 +-36 Elo in 280 games. "usual": as
// engines usually have it, not measured alone.
#pragma once

#include "core/alphabeta/tuning.hpp"

namespace tengen::chess {

inline constexpr alphabeta::Tuning kTuning{
    .window = 16,         // usual
    .history_bonus = 16,  // linear bonuses instead: 0 +-23 Elo
    // games: base and divisor; usual: what is added and taken off
    .lmr_depth = 3,
    .lmr_moves = 1,
    .lmr_base = 0.75,  // games: +30 +-24 Elo
    .lmr_divisor = 2.1,
    .lmr_pv = 1,
    .lmr_worsening = 1,
    .lmr_cut_node = 1,
    .lmr_first_tactical = 1,
    .lmr_in_check = 1,
    .lmr_gives_check = 1,
    .lmr_killer = 1,
    .lmr_history = 8192,
    .lmr_tactical_share = 50,
    .lmr_tactical = 1,
    .iir_depth = 4,  // games
    // usual; reductions of all quiet moves as elsewhere instead: 0 +-23 Elo
    .root_lmr_depth = 3,
    .root_lmr_moves = 3,
    .root_lmr = 1,
    .root_lmr_late_depth = 6,
    .root_lmr_late_moves = 8,
    // games: the unit; usual: the others
    .null_depth = 3,
    .null_less = 4,
    .null_divisor = 3,
    .null_unit = 220,
    .null_most = 3,
    // games: the margins of ProbCut and of quiet moves; usual: the others
    .probcut_depth = 5,
    .probcut_margin = 200,
    .probcut_less = 4,
    .see_depth = 7,
    .see_tactical = 100,
    .see_quiet = 28,
    .delta_margin = 200,
    // games: margins, slopes and bars; usual: depths
    .reverse_depth = 8,
    .reverse_margin = 66,  // games: +34 +-27 Elo for 80 against 120
    .reverse_share = 50,
    .razor_depth = 3,
    .razor_base = 300,
    .razor_slope = 200,
    .late_base = 4,
    .late_share = 50,
    .futility_depth = 8,
    .futility_base = 170,
    .futility_slope = 100,
    .history_depth = 4,
    .history_bar = 3276,
    // games: the margin; usual: the others
    .singular_depth = 7,
    .singular_known = 3,
    .singular_margin = 2.381,
    .singular_share = 0.5,
    .singular_double = 33,
    .extension_reach = 2,
    .check_extension = 0,  // usual where there are singular extensions
    // games: +20 +-22 Elo for the move of four plies ago
    .continuation_1 = 100,
    .continuation_2 = 100,
    .continuation_4 = 50,
    // usual
    .correction_divisor = 24,
    .correction_rate = 8,
    .correction_step = 256,
};

}  // namespace tengen::chess
