// What the numbers of a Tuning do, within which bounds they may be set, and with which parts of a position they act: the
// options of every alpha-beta search (`tengen options`), each listed only where it acts.
#pragma once

#include <vector>

#include "core/alphabeta/position.hpp"
#include "core/alphabeta/tuning.hpp"
#include "core/search/options.hpp"

namespace tengen::alphabeta {

// The optional parts of a Position that constants act with, as bits.
enum Parts : unsigned {
    kAlways = 0,
    kTactics = 1 << 0,              // HasTactics
    kReductions = 1 << 1,           // Reduces
    kNullMoves = 1 << 2,            // MayPlayNull
    kExchanges = 1 << 3,            // EvaluatesExchanges
    kChecks = 1 << 4,               // GivesCheck
    kEvaluationPruning = 1 << 5,    // PrunesByEvaluation
    kSingular = 1 << 6,             // ExtendsSingular
    kContinuationHistory = 1 << 7,  // HasContinuationHistory
    kCorrectionHistory = 1 << 8,    // HasCorrectionKeys
    kKeysAfter = 1 << 9,            // KnowsKeysAfter
    kProbCut = 1 << 10,             // HasProbCut
    kTacticalMoves = 1 << 11        // HasTacticalMoves
};

template <Position P>
constexpr unsigned parts_of() {
    return (HasTactics<P> ? kTactics : kAlways) | (Reduces<P> ? kReductions : kAlways) |
           (MayPlayNull<P> ? kNullMoves : kAlways) | (EvaluatesExchanges<P> ? kExchanges : kAlways) |
           (GivesCheck<P> ? kChecks : kAlways) | (PrunesByEvaluation<P> ? kEvaluationPruning : kAlways) |
           (ExtendsSingular<P> ? kSingular : kAlways) | (HasContinuationHistory<P> ? kContinuationHistory : kAlways) |
           (HasCorrectionKeys<P> ? kCorrectionHistory : kAlways) | (KnowsKeysAfter<P> ? kKeysAfter : kAlways) |
           (HasProbCut<P> ? kProbCut : kAlways) | (HasTacticalMoves<P> ? kTacticalMoves : kAlways);
}

struct Constant {
    Option<Tuning> option;
    unsigned needs;  // Parts; all of them
};

namespace constants {
using T = Tuning;
inline constexpr Constant kAll[] = {
    // Windows and the table: every game.
    {{"window", &T::window, 1, 10000,
      "aspiration window: how far from the last score the next step looks at first, in score units"},
     kAlways},
    {{"window_depth", &T::window_depth, 1, 255, "depth from which on that window is used"}, kAlways},
    {{"window_growth", &T::window_growth, 2, 10, "how many times as wide the window is after each score outside it"},
     kAlways},
    {{"table_depth", &T::table_depth, 1, 20, "least depth at which a node asks the transposition table"}, kAlways},
    {{"table_keep", &T::table_keep, 0, 255,
      "plies by which an entry of this run must be deeper to stay for the same position"},
     kAlways},
    {{"table_age", &T::table_age, 0, 255, "plies that an entry of the table counts as less deep for each run since"},
     kAlways},
    {{"killer_first", &T::killer_first, 0, 100000, "what the latest killer move is worth in the order of quiet moves"},
     kAlways},
    {{"killer_second", &T::killer_second, 0, 100000, "what the killer move before it is worth there"}, kAlways},
    {{"counter_move", &T::counter_move, 0, 100000,
      "what the move that refuted the same move of the opponent before is worth there"},
     kAlways},
    {{"history_bonus", &T::history_bonus, 0, 1000,
      "what a refutation adds to its history, times the square of its depth"},
     kAlways},
    {{"history_most", &T::history_most, 0, 8192,
      "most that one refutation adds to a history (which stays within 16384)"},
     kAlways},
    // Time: every game.
    {{"time_soft", &T::time_soft, 0.01, 1, "share of a move's time after which no step begins"}, kAlways},
    {{"time_scale", &T::time_scale, 0.05, 10, "share of the planned time that a usual move takes"}, kAlways},
    {{"time_steady_0", &T::time_steady_0, 0.05, 10, "factor of the time where the last step changed the best move"},
     kAlways},
    {{"time_steady_1", &T::time_steady_1, 0.05, 10, "factor of the time where the best move held for one step"},
     kAlways},
    {{"time_steady_2", &T::time_steady_2, 0.05, 10, "factor of the time where the best move held for two steps"},
     kAlways},
    {{"time_steady_3", &T::time_steady_3, 0.05, 10, "factor of the time where the best move held for three steps"},
     kAlways},
    {{"time_steady_4", &T::time_steady_4, 0.05, 10,
      "factor of the time where the best move held for four steps or more"},
     kAlways},
    {{"time_nodes_base", &T::time_nodes_base, 0, 10, "factor of the time where the best move took none of the nodes"},
     kAlways},
    {{"time_nodes_slope", &T::time_nodes_slope, 0, 10,
      "how far that falls with the share of the nodes that the best move took"},
     kAlways},
    {{"time_nodes_least", &T::time_nodes_least, 0.05, 1, "least factor by the share of the nodes"}, kAlways},
    {{"time_nodes_most", &T::time_nodes_most, 1, 10, "greatest factor by the share of the nodes"}, kAlways},
    {{"time_fall_slope", &T::time_fall_slope, 0, 10,
      "how far the factor grows for each time_fall_unit that the score falls"},
     kAlways},
    {{"time_fall_unit", &T::time_fall_unit, 1, 10000, "score units that count as a fall of one"}, kAlways},
    {{"time_fall_least", &T::time_fall_least, 0.05, 1, "least factor by the fall of the score"}, kAlways},
    {{"time_fall_most", &T::time_fall_most, 1, 10, "greatest factor by the fall of the score"}, kAlways},
    {{"time_memory", &T::time_memory, 0, 100,
      "weight of the earlier scores, against 1 of the last, in the score whose fall counts"},
     kAlways},
    // Late-move reductions, also at the root, and internal iterative reductions (Reduces).
    {{"lmr_depth", &T::lmr_depth, 2, 255, "late-move reductions: least depth of a node"}, kReductions},
    {{"lmr_moves", &T::lmr_moves, 1, 255, "late-move reductions: how many first moves of a node are never reduced"},
     kReductions},
    {{"lmr_base", &T::lmr_base, -5, 10,
      "late-move reductions: plies that every late move is searched less deep, before what follows"},
     kReductions},
    {{"lmr_divisor", &T::lmr_divisor, 0.2, 20,
      "late-move reductions: ln(depth) ln(number of the move), divided by this, is added to lmr_base"},
     kReductions},
    {{"lmr_pv", &T::lmr_pv, -5, 5, "late-move reductions: plies less in a node of the principal variation"},
     kReductions},
    {{"lmr_worsening", &T::lmr_worsening, -5, 5,
      "late-move reductions: plies more where the evaluation is no better than two plies before"},
     kReductions | kEvaluationPruning},
    {{"lmr_cut_node", &T::lmr_cut_node, -5, 5, "late-move reductions: plies more in a cut node"}, kReductions},
    {{"lmr_first_tactical", &T::lmr_first_tactical, -5, 5,
      "late-move reductions: plies more where the table's move is tactical"},
     kReductions | kTacticalMoves},
    {{"lmr_in_check", &T::lmr_in_check, -5, 5, "late-move reductions: plies less for replies to a check"},
     kReductions | kTactics},
    {{"lmr_gives_check", &T::lmr_gives_check, -5, 5, "late-move reductions: plies less for a move that gives check"},
     kReductions | kChecks},
    {{"lmr_killer", &T::lmr_killer, -5, 5, "late-move reductions: plies less for a killer move"}, kReductions},
    {{"lmr_history", &T::lmr_history, 256, 32768,
      "late-move reductions: plies less are the history of the move divided by this"},
     kReductions},
    {{"lmr_tactical_share", &T::lmr_tactical_share, 0, 200,
      "late-move reductions: percent of the reduction that a tactical move gets"},
     kReductions | kTacticalMoves},
    {{"lmr_tactical", &T::lmr_tactical, -5, 5, "late-move reductions: plies less for a tactical move"},
     kReductions | kTacticalMoves},
    {{"iir_depth", &T::iir_depth, 2, 255,
      "internal iterative reduction: least depth at which a node without a move of the table is searched a ply less deep"},
     kReductions},
    {{"root_lmr_depth", &T::root_lmr_depth, 1, 255, "reductions at the root: least depth"}, kReductions},
    {{"root_lmr_moves", &T::root_lmr_moves, 1, 255, "reductions at the root: how many first moves are never reduced"},
     kReductions},
    {{"root_lmr", &T::root_lmr, 0, 10,
      "reductions at the root: plies that a late quiet move (in chess: castling) is searched less deep"},
     kReductions},
    {{"root_lmr_late_depth", &T::root_lmr_late_depth, 1, 255,
      "reductions at the root: depth above which the latest moves are searched one ply less deep still"},
     kReductions},
    {{"root_lmr_late_moves", &T::root_lmr_late_moves, 1, 255,
      "reductions at the root: number of the move above which a move is among the latest"},
     kReductions},
    // Null moves (MayPlayNull).
    {{"null_depth", &T::null_depth, 1, 255, "null move: least depth of a node"}, kNullMoves},
    {{"null_less", &T::null_less, 1, 20, "null move: plies that the reply is searched less deep, itself included"},
     kNullMoves},
    {{"null_divisor", &T::null_divisor, 1, 255, "null move: the depth divided by this is taken off as well"},
     kNullMoves},
    {{"null_unit", &T::null_unit, 1, 10000,
      "null move: a ply more is taken off for each so many score units of the evaluation above beta"},
     kNullMoves},
    {{"null_most", &T::null_most, 0, 20, "null move: most plies that are taken off for that"}, kNullMoves},
    // What exchanges decide (EvaluatesExchanges).
    {{"probcut_depth", &T::probcut_depth, 2, 255, "ProbCut by captures: least depth of a node"}, kExchanges},
    {{"probcut_margin", &T::probcut_margin, 0, 10000,
      "ProbCut by captures: score units above beta that a capture has to reach"},
     kExchanges},
    {{"probcut_less", &T::probcut_less, 1, 20,
      "ProbCut by captures: plies that the capture is searched less deep, itself included"},
     kExchanges},
    {{"see_depth", &T::see_depth, 0, 255,
      "static exchange evaluation: depth up to which moves that lose by exchanges are left out"},
     kExchanges},
    {{"see_tactical", &T::see_tactical, 0, 10000,
      "static exchange evaluation: score units a ply that a capture or a check may lose"},
     kExchanges},
    {{"see_quiet", &T::see_quiet, 0, 10000,
      "static exchange evaluation: score units, times the square of the depth, that a quiet move may lose"},
     kExchanges},
    {{"delta_margin", &T::delta_margin, 0, 10000,
      "delta pruning in quiescence: score units by which a capture has to miss alpha"},
     kExchanges},
    // What the evaluation of a node decides (PrunesByEvaluation).
    {{"reverse_depth", &T::reverse_depth, 0, 255, "reverse futility: depth up to which a node far above beta is cut"},
     kEvaluationPruning},
    {{"reverse_margin", &T::reverse_margin, 0, 10000,
      "reverse futility: score units a ply that the evaluation has to be above beta"},
     kEvaluationPruning},
    {{"reverse_share", &T::reverse_share, 0, 100,
      "reverse futility: percent of what the evaluation is above beta that the returned score keeps"},
     kEvaluationPruning},
    {{"razor_depth", &T::razor_depth, 0, 255,
      "razoring: depth up to which a node far below alpha is searched by quiescence alone"},
     kEvaluationPruning},
    {{"razor_base", &T::razor_base, 0, 10000, "razoring: score units that the evaluation has to be below alpha"},
     kEvaluationPruning},
    {{"razor_slope", &T::razor_slope, 0, 10000, "razoring: score units more, times the square of the depth"},
     kEvaluationPruning},
    {{"late_base", &T::late_base, 0, 255,
      "late-move pruning: quiet moves after so many, and the square of the depth more, are left out"},
     kEvaluationPruning},
    {{"late_share", &T::late_share, 0, 100,
      "late-move pruning: percent of those moves where the evaluation is no better than two plies before"},
     kEvaluationPruning},
    {{"futility_depth", &T::futility_depth, 0, 255,
      "futility: reduced depth up to which quiet moves far below alpha are left out"},
     kEvaluationPruning},
    {{"futility_base", &T::futility_base, 0, 10000, "futility: score units that the evaluation has to be below alpha"},
     kEvaluationPruning},
    {{"futility_slope", &T::futility_slope, 0, 10000, "futility: score units more for each ply of the reduced depth"},
     kEvaluationPruning},
    {{"history_depth", &T::history_depth, 0, 255,
      "history pruning: depth up to which quiet moves of bad history are left out"},
     kEvaluationPruning},
    {{"history_bar", &T::history_bar, 0, 100000,
      "history pruning: how far below 0 the history has to be, for each ply of the depth"},
     kEvaluationPruning},
    // Extensions (ExtendsSingular).
    {{"singular_depth", &T::singular_depth, 3, 255, "singular extensions: least depth of a node"}, kSingular},
    {{"singular_known", &T::singular_known, 0, 255,
      "singular extensions: plies that the table's entry may be less deep than the node"},
     kSingular},
    {{"singular_margin", &T::singular_margin, 0, 1000,
      "singular extensions: score units a ply by which all other moves have to be worse than the table's"},
     kSingular},
    {{"singular_share", &T::singular_share, 0.1, 1,
      "singular extensions: share of the depth, less a ply, at which the other moves are searched"},
     kSingular},
    {{"singular_double", &T::singular_double, 0, 10000,
      "singular extensions: score units beyond that from which on the move is extended by two plies"},
     kSingular},
    // Beside HasTactics.
    {{"extension_reach", &T::extension_reach, 1, 10,
      "extensions end at the ply that is so many times the depth of the step"},
     kTactics},
    {{"check_extension", &T::check_extension, 0, 3, "plies that a node is searched deeper in check"}, kTactics},
    {{"check_depth", &T::check_depth, 0, 255,
      "least depth at which that is done: 1 leaves checks at the horizon to quiescence"},
     kTactics},
    // Continuation history (HasContinuationHistory).
    {{"continuation_1", &T::continuation_1, 0, 200,
      "percent that the history of a move after the opponent's last move counts and learns"},
     kContinuationHistory},
    {{"continuation_2", &T::continuation_2, 0, 200,
      "percent that the history of a move after the own move before counts and learns"},
     kContinuationHistory},
    {{"continuation_4", &T::continuation_4, 0, 200,
      "percent that the history of a move after the own move of four plies ago counts and learns"},
     kContinuationHistory},
    // Correction history (HasCorrectionKeys).
    {{"correction_divisor", &T::correction_divisor, 1, 1000,
      "correction history: what was found beside the evaluation, summed over its keys, is divided by this"},
     kCorrectionHistory},
    {{"correction_rate", &T::correction_rate, 1, 1000,
      "correction history: a difference between search and evaluation, times the depth, is divided by this"},
     kCorrectionHistory},
    {{"correction_step", &T::correction_step, 0, 1024,
      "correction history: most that one search adds (what is kept stays within 1024)"},
     kCorrectionHistory},
    // Enhanced transposition cut-offs (KnowsKeysAfter).
    {{"etc_depth", &T::etc_depth, 1, 255,
      "enhanced transposition cut-offs: least depth at which the table is asked for the positions after all moves"},
     kKeysAfter},
    // ProbCut by shallow searches (HasProbCut).
    {{"probcut_nested", &T::probcut_nested, 1, 10,
      "ProbCut: how many shallow searches of it may be under way in one line"},
     kProbCut},
    {{"probcut_1", &T::probcut_1, 0, 10,
      "ProbCut: standard deviations that a shallow search has to be off the window at selectivity 1"},
     kProbCut},
    {{"probcut_2", &T::probcut_2, 0, 10,
      "ProbCut: standard deviations that a shallow search has to be off the window at selectivity 2"},
     kProbCut},
    {{"probcut_3", &T::probcut_3, 0, 10,
      "ProbCut: standard deviations that a shallow search has to be off the window at selectivity 3"},
     kProbCut},
    {{"probcut_4", &T::probcut_4, 0, 10,
      "ProbCut: standard deviations that a shallow search has to be off the window at selectivity 4"},
     kProbCut},
    {{"probcut_5", &T::probcut_5, 0, 10,
      "ProbCut: standard deviations that a shallow search has to be off the window at selectivity 5"},
     kProbCut},
};
}  // namespace constants

// The options of a search whose position has these parts.
inline std::vector<Option<Tuning>> constants_of(unsigned parts) {
    std::vector<Option<Tuning>> out;
    for (const Constant& one : constants::kAll)
        if ((one.needs & ~parts) == 0) out.push_back(one.option);
    return out;
}

}  // namespace tengen::alphabeta
