// The numbers of an alpha-beta search, one set for each game: what it prunes, reduces and extends, how it orders moves,
// learns and spends its time. A game says its values (core/chess/tuning.hpp, core/reversi/tuning.hpp); constants.hpp
// says what each one does and within which bounds it may be set.
//
// Scores are in the game's own units (centipawns in chess). What a game's search does not have stays 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tengen::alphabeta {

inline constexpr int kLevels = 5;  // of selectivity, beside none

struct Tuning {
    // Windows and the table: every game has them, with the usual values unless it says otherwise.
    int window = 0, window_depth = 4, window_growth = 3, table_depth = 1, table_keep = 2, table_age = 8,
        killer_first = 49152, killer_second = 32768, counter_move = 16384, history_bonus = 16, history_most = 2048;

    // Time: every game, likewise.
    double time_soft = 0.6, time_scale = 0.62, time_steady_0 = 1.8, time_steady_1 = 1.3, time_steady_2 = 1.05,
           time_steady_3 = 0.9, time_steady_4 = 0.8, time_nodes_base = 1.9, time_nodes_slope = 1.5,
           time_nodes_least = 0.5, time_nodes_most = 1.6, time_fall_slope = 0.8;
    int time_fall_unit = 100;
    double time_fall_least = 0.85, time_fall_most = 1.6;
    int time_memory = 3;

    // Late-move reductions, also at the root, and internal iterative reductions (Reduces).
    int lmr_depth = 0, lmr_moves = 0;
    double lmr_base = 0, lmr_divisor = 0;
    int lmr_pv = 0, lmr_worsening = 0, lmr_cut_node = 0, lmr_first_tactical = 0, lmr_in_check = 0, lmr_gives_check = 0,
        lmr_killer = 0, lmr_history = 0, lmr_tactical_share = 0, lmr_tactical = 0, iir_depth = 0;
    int root_lmr_depth = 0, root_lmr_moves = 0, root_lmr = 0, root_lmr_late_depth = 0, root_lmr_late_moves = 0;

    // Null moves (MayPlayNull).
    int null_depth = 0, null_less = 0, null_divisor = 0, null_unit = 0, null_most = 0;

    // What exchanges decide (EvaluatesExchanges).
    int probcut_depth = 0, probcut_margin = 0, probcut_less = 0, see_depth = 0, see_tactical = 0, see_quiet = 0,
        delta_margin = 0;

    // What the evaluation of a node decides (PrunesByEvaluation).
    int reverse_depth = 0, reverse_margin = 0, reverse_share = 0, razor_depth = 0, razor_base = 0, razor_slope = 0,
        late_base = 0, late_share = 0, futility_depth = 0, futility_base = 0, futility_slope = 0, history_depth = 0,
        history_bar = 0;

    // Extensions (ExtendsSingular).
    int singular_depth = 0, singular_known = 0;
    double singular_margin = 0, singular_share = 0;
    int singular_double = 0;

    // Beside HasTactics.
    int extension_reach = 0, check_extension = 0, check_depth = 0;

    // Continuation history (HasContinuationHistory).
    int continuation_1 = 0, continuation_2 = 0, continuation_4 = 0;

    // Correction history (HasCorrectionKeys).
    int correction_divisor = 0, correction_rate = 0, correction_step = 0;

    // Enhanced transposition cut-offs (KnowsKeysAfter).
    int etc_depth = 0;

    // ProbCut by shallow searches (HasProbCut).
    int probcut_nested = 0;
    double probcut_1 = 0, probcut_2 = 0, probcut_3 = 0, probcut_4 = 0, probcut_5 = 0;

    bool operator==(const Tuning&) const = default;
};

// Divides as `/` does, by a number that is known when the search is made: by a product, which is quicker. Exact while
// |n| times the divisor stays below 1 << 32.
class Divisor {
public:
    explicit Divisor(int by)
        : inverse_(by > 0 ? (std::uint64_t{1} << kShift) / static_cast<std::uint64_t>(by) + 1 : 0) {}
    int of(int n) const {
        const auto found = static_cast<int>(static_cast<std::uint64_t>(std::abs(n)) * inverse_ >> kShift);
        return n < 0 ? -found : found;
    }

private:
    static constexpr int kShift = 32;
    std::uint64_t inverse_;
};

// Tables that are computed once from a Tuning, for the search to look up.
struct Lookups {
    static constexpr int kKnown = 64;  // depths and numbers of moves; greater ones count as the last

    std::array<std::array<std::int8_t, kKnown>, kKnown> reductions{};  // plies, by depth and number of the move
    std::array<double, kLevels + 1> deviations{};                      // of ProbCut, by selectivity

    Divisor history;  // of a reduction

    explicit Lookups(const Tuning& by)
        : deviations{0, by.probcut_1, by.probcut_2, by.probcut_3, by.probcut_4, by.probcut_5}, history(by.lmr_history) {
        if (by.lmr_divisor <= 0) return;
        for (std::size_t depth = 1; depth < kKnown; ++depth)
            for (std::size_t number = 1; number < kKnown; ++number)
                reductions[depth][number] =
                    static_cast<std::int8_t>(by.lmr_base + std::log(static_cast<double>(depth)) *
                                                               std::log(static_cast<double>(number)) / by.lmr_divisor);
    }

    // Plies that a move is searched less deep, before what speaks for and against it.
    int reduction(int depth, int number) const {
        return reductions[static_cast<std::size_t>(std::min(depth, kKnown - 1))]
                         [static_cast<std::size_t>(std::min(number, kKnown - 1))];
    }
};

}  // namespace tengen::alphabeta
