// Quiescence search, and frontier nodes. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// A frontier node: the best of the evaluations after each move.
template <Position P>
Score NodeSearch<P>::search_frontier(Score beta, int ply) {
    MovePicker<P> moves(position_);
    Score best = -kInfinite;
    for (int move = moves.next(); move != kNoMove && best < beta; move = moves.next()) {
        if (is_over()) return 0;
        best = std::max(best, -bounded(position_.evaluate_after(move)));
    }
    seldepth_ = std::max(seldepth_, ply + 1);
    return best;
}

// Tactical moves until there are none (evasions in check). The table is asked at the first ply alone: waiting for it takes
// longer than it saves.
template <Position P>
Score NodeSearch<P>::quiescence(Score alpha, Score beta, int ply, bool asks_table) {
    if constexpr (!HasTactics<P>) {
        return bounded(position_.evaluate());
    } else {
        Score best = -kInfinite, stand_pat = -kInfinite;
        const bool is_in_check = position_.is_in_check();
        const std::uint64_t key = position_.key();
        Stored known;
        if (asks_table && run_.table.find(key, known)) {
            known.score = from_table(known.score, ply);
            if (beta - alpha == 1 && trusts_table() && gives_cutoff(known, 0, 0, alpha, beta)) return known.score;
        }
        if (!is_in_check) {
            best = stand_pat = corrected_evaluation();
            if (may_claim()) best = std::max(best, 0);
            if (best >= beta) return best;
        }
        MovePicker<P> moves(position_, histories_, known.move);
        if constexpr (EndsWithoutMoves<P>)
            if (is_in_check && moves.size() == 0) return final_score(position_, ply);
        const Score first_alpha = alpha;
        int best_move = kNoMove;
        for (int move = moves.next(); move != kNoMove; move = moves.next()) {
            if (best >= -kLargest) {
                if constexpr (EvaluatesExchanges<P>) {  // moves that lose by exchanges, and delta pruning
                    if (moves.is_losing()) break;
                    const Score most = stand_pat + position_.capture_value(move) + tuning_.delta_margin;
                    if (!is_in_check && most <= alpha) {
                        best = std::max(best, bounded(most));
                        continue;
                    }
                }
                if (is_in_check && !position_.is_tactical(move)) continue;  // one evasion was good enough
            }
            typename P::Undo undo;
            position_.play(move, undo);
            moves_[static_cast<std::size_t>(ply)] = move;
            const Score score = -quiescence_below(-beta, -std::max(alpha, best), ply + 1);
            position_.undo(move, undo);
            if (is_aborted_) return 0;
            if (score > best) {
                best = score;
                if (score > alpha) best_move = move;
                if (score >= beta) break;
                alpha = std::max(alpha, score);
            }
        }
        if (may_claim()) best = std::max(best, 0);
        best = as_proved(best, 0);
        if (asks_table) {
            const Bound bound = best >= beta                                   ? Bound::lower
                                : best > first_alpha && beta - first_alpha > 1 ? Bound::exact
                                                                               : Bound::upper;
            run_.table.store(key, {best_move, to_table(best, ply), 0, 0, bound});
        }
        return best;
    }
}
template <Position P>
Score NodeSearch<P>::quiescence_below(Score alpha, Score beta, int ply) {
    if (is_over()) return 0;
    seldepth_ = std::max(seldepth_, ply);
    if (const auto end = known_end(position_, ply)) return *end;
    if (ply >= kMaxPly - 1) return bounded(position_.evaluate());
    return quiescence(alpha, beta, ply, false);
}

}  // namespace tengen::alphabeta
