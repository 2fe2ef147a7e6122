// The numbers of chess's alpha-beta search (core/alphabeta/constants.hpp says what each does), in centipawns where they
// are scores, and where each is from.
//
// Sources. "games": one of 17 numbers that were set at random against their opposites in 912 games of 15,000 nodes a
// move, and again around what was found in 784; all of them together gave +39 +-36 Elo in 280 games. "usual": as
// engines usually have it, not measured alone.
#pragma once

#include "core/alphabeta/tuning.hpp"
#include "core/chess/static_exchange.hpp"
#include "core/search/options.hpp"

namespace tengen::chess {

// The numbers of the position that is searched (search_position.hpp). "usual", none measured alone.
struct PositionTuning {
    // Move ordering: captures by most valuable victim, least valuable attacker; beside history.
    int order_capture = 64, order_capturer = 4, order_underpromotion = 200000;
    int order_safety_knight = 8000, order_safety_bishop = 8000, order_safety_rook = 12000, order_safety_queen = 24000;
    // Static exchange evaluation.
    int see_pawn = kExchangeValues[kPawn], see_knight = kExchangeValues[kKnight], see_bishop = kExchangeValues[kBishop],
        see_rook = kExchangeValues[kRook], see_queen = kExchangeValues[kQueen];
    // Half-moves without progress, of which a hundred are a draw.
    int fifty_fade = 200, fifty_table = 90;
    int tables_depth = 8;  // docs/benchmarks.md

    bool operator==(const PositionTuning&) const = default;
};

inline constexpr Option<PositionTuning> kPositionOptions[] = {
    {"order_capture", &PositionTuning::order_capture, 0, 100,
     "move ordering: what each centipawn that a capture takes is worth"},
    {"order_capturer", &PositionTuning::order_capturer, 0, 10000,
     "move ordering: what is taken off a capture for each step of its piece from pawn to king"},
    {"order_underpromotion", &PositionTuning::order_underpromotion, 0, 400000,
     "move ordering: what is taken off a promotion to less than a queen"},
    {"order_safety_knight", &PositionTuning::order_safety_knight, 0, 100000,
     "move ordering: what a quiet knight's move is worth from where a pawn attacks it; as much less to there"},
    {"order_safety_bishop", &PositionTuning::order_safety_bishop, 0, 100000,
     "move ordering: what a quiet bishop's move is worth from where a pawn attacks it; as much less to there"},
    {"order_safety_rook", &PositionTuning::order_safety_rook, 0, 100000,
     "move ordering: what a quiet rook's move is worth from where a lesser piece attacks it; as much less to there"},
    {"order_safety_queen", &PositionTuning::order_safety_queen, 0, 100000,
     "move ordering: what a quiet queen's move is worth from where a lesser piece attacks it; as much less to there"},
    {"see_pawn", &PositionTuning::see_pawn, 1, 2000, "static exchange evaluation: a pawn in centipawns"},
    {"see_knight", &PositionTuning::see_knight, 1, 2000, "static exchange evaluation: a knight in centipawns"},
    {"see_bishop", &PositionTuning::see_bishop, 1, 2000, "static exchange evaluation: a bishop in centipawns"},
    {"see_rook", &PositionTuning::see_rook, 1, 2000, "static exchange evaluation: a rook in centipawns"},
    {"see_queen", &PositionTuning::see_queen, 1, 2000, "static exchange evaluation: a queen in centipawns"},
    {"fifty_fade", &PositionTuning::fifty_fade, 100, 400,
     "half-moves without progress after which nothing would be left of an evaluation"},
    {"fifty_table", &PositionTuning::fifty_table, 0, 100,
     "half-moves without progress from which on the table's score of a position ends no search of it"},
    {"tables_depth", &PositionTuning::tables_depth, 1, 255,
     "fewest plies left at which endgame tables are asked inside the search"},
};

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
    .check_extension = 1,  // docs/benchmarks.md
    .check_depth = 1,
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
