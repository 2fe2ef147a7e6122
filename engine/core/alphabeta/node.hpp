// The search of a node: its window, the table, what is left out, its moves in order. Knows no game.
//
// Principal variation search (Marsland & Campbell 1982), late-move reductions, null moves (Donninger 1993) and ProbCut
// (Buro 1995), each only where the position offers what it needs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/alphabeta/moves.hpp"
#include "core/alphabeta/path.hpp"

namespace tengen::alphabeta {

template <Position P>
class NodeSearch : public Path<P> {
public:
    NodeSearch(Run& run, const P& root) : Path<P>(run, root), learned_(P::kMoveBound) {}

protected:
    using Path<P>::run_, Path<P>::position_, Path<P>::pv_, Path<P>::moves_, Path<P>::horizon_, Path<P>::is_aborted_;
    using Path<P>::is_over, Path<P>::with, Path<P>::extend, Path<P>::kNever;

    template <bool kPv>
    Score search(int depth, Score alpha, Score beta, int ply, int level, bool may_do_nothing) {
        const auto here = static_cast<std::size_t>(ply);
        pv_[here].clear();
        if (is_over()) return 0;
        seldepth_ = std::max(seldepth_, ply);
        if constexpr (TrustsLeaves<P>)
            if (depth <= 0 && !ends_within(0)) return bounded(position_.evaluate());
        const std::uint64_t key = position_.key();
        if (depth >= least_stored<P>()) run_.table.prefetch(key);
        if (position_.is_terminal()) return final_score(position_, ply);
        if (ply >= kMaxPly - 1) return bounded(position_.evaluate());
        if constexpr (KnowsEnd<P>) depth = std::min(depth, position_.plies_left());
        const bool is_in_trouble = in_trouble();
        if (is_in_trouble && ply < 2 * root_depth_) ++depth;
        if (depth <= 0) return settle(alpha, beta, ply);
        if constexpr (!CountsMargin<P>) {  // no line from here is better than the shortest win, or worse than the
                                           // soonest loss
            alpha = std::max(alpha, -kWin + ply);
            beta = std::min(beta, kWin - ply - 1);
            if (alpha >= beta) return alpha;
        }
        if constexpr (Solves<P, NodeSearch>)
            if (const auto solved = position_.solve(depth, alpha, beta, level, *this)) return *solved;
        if (is_aborted_) return 0;

        const bool is_kept = depth >= least_stored<P>();
        Stored known;
        const bool is_known = is_kept && run_.table.find(key, known);
        if (is_known) known.score = from_table(known.score, ply);
        if (!kPv && is_known && says_enough(known, depth, level, alpha, beta)) return known.score;

        if constexpr (!kPv) {
            if (may_do_nothing && !is_in_trouble && is_refuted_by_nothing(depth, beta, ply, level)) return beta;
            if (is_aborted_) return 0;
            Score cut = 0;
            if (is_refuted_by_known(depth, beta, level, cut)) return cut;
            if (is_foretold(depth, alpha, beta, ply, level, cut)) return cut;
            if (is_aborted_) return 0;
        }
        if constexpr (LooksAhead<P>)
            if (!kPv && depth == 1 && has_choice() && !ends_within(1)) return look(beta, ply);
        if constexpr (Reduces<P>)
            if (depth >= 5 && (!is_known || known.move < 0)) --depth;

        const int outer = std::exchange(horizon_, kNever);
        const auto [best, move] =
            search_moves<kPv>(depth, alpha, beta, ply, level, is_known ? known.move : -1, is_in_trouble);
        if (!is_aborted_) {
            const bool depends = horizon_ < ply;  // on how the game came here
            if (!is_kept) {
            } else if (!depends)
                run_.table.store(key, {move, to_table(best, ply), depth, level,
                                       best >= beta          ? Limit::lower
                                       : kPv && best > alpha ? Limit::exact
                                                             : Limit::upper});
            else if (move >= 0)
                run_.table.store(key, {move, 0, 0, level, Limit::none});
            horizon_ = depends ? std::min(outer, horizon_) : outer;
        }
        return best;
    }

    template <bool kPv>
    std::pair<Score, int> search_moves(int depth, Score alpha, Score beta, int ply, int level, int first,
                                       bool is_in_trouble) {
        const auto here = static_cast<std::size_t>(ply);
        const int previous = moves_[here - 1], player = position_.to_move();
        Moves<P> moves;
        moves.all_of(position_, learned_, first, ply, previous, depth);
        std::array<int, P::kMaxMoves> tried;
        int count = 0, best_move = -1;
        Score best = -kInfinite, low = alpha;
        for (int i = 0; i < moves.size(); ++i) {
            const int move = moves.at(i);
            const bool quiet = !is_tactical(position_, move);
            Score score = 0;
            const bool is_played = with(move, depth, ply, [&](int rest) {
                if (i == 0) {
                    score = -search<kPv>(rest, -beta, -low, ply + 1, level, true);
                    return;
                }
                const int less = quiet && !is_in_trouble ? reduction(depth, i, kPv, learned_.history(player, move)) : 0;
                score = -search<false>(std::max(rest - less, std::min(rest, 1)), -low - 1, -low, ply + 1, level, true);
                if (less > 0 && score > low && !is_aborted_)
                    score = -search<false>(rest, -low - 1, -low, ply + 1, level, true);
                if (kPv && score > low && score < beta && !is_aborted_)
                    score = -search<true>(rest, -beta, -low, ply + 1, level, true);
            });
            if (is_aborted_) return {best, best_move};
            if (!is_played) {
                if constexpr (MayRepeat<P>)
                    if (P::kRepetitionForbidden) continue;
                pv_[here + 1].clear();
            }
            if (score > best) {
                best = score;
                if (score > low) {
                    best_move = move;
                    low = score;
                    if (kPv) extend(move, here);
                }
                if (score >= beta) {
                    if (quiet) learned_.reward(player, move, ply, previous, depth, tried.data(), count);
                    break;
                }
            }
            if (quiet) tried[static_cast<std::size_t>(count++)] = move;
        }
        if (best == -kInfinite) best = bounded(position_.evaluate());  // every move would repeat
        return {best, best_move};
    }

    // The best of what the evaluation says after each move.
    Score look(Score beta, int ply) {
        Moves<P> moves;
        moves.unlearned_of(position_);
        Score best = -kInfinite;
        for (int i = 0; i < moves.size() && best < beta; ++i) {
            if (is_over()) return 0;
            best = std::max(best, -bounded(position_.evaluate_after(moves.at(i))));
        }
        seldepth_ = std::max(seldepth_, ply + 1);
        return best;
    }
    // Whether the side to move has more than free moves.
    bool has_choice() const {
        if constexpr (HasFreeMoves<P>) return !position_.has_free_moves();
        return true;
    }

    // The moves that change much, until nothing does.
    Score settle(Score alpha, Score beta, int ply) {
        if constexpr (!HasTactics<P>) {
            return bounded(position_.evaluate());
        } else {
            Score best = -kInfinite;
            if (!position_.is_in_trouble()) {
                best = bounded(position_.evaluate());
                if (best >= beta) return best;
            }
            Moves<P> moves;
            moves.tactical_of(position_);
            for (int i = 0; i < moves.size(); ++i) {
                const int move = moves.at(i);
                typename P::Undo undo;
                position_.play(move, undo);
                moves_[static_cast<std::size_t>(ply)] = move;
                const Score score = -settle_after(-beta, -std::max(alpha, best), ply + 1);
                position_.undo(move, undo);
                if (is_aborted_) return 0;
                if (score > best) {
                    best = score;
                    if (score >= beta) break;
                }
            }
            return best;
        }
    }
    Score settle_after(Score alpha, Score beta, int ply) {
        if (is_over()) return 0;
        seldepth_ = std::max(seldepth_, ply);
        if (position_.is_terminal()) return final_score(position_, ply);
        if (ply >= kMaxPly - 1) return bounded(position_.evaluate());
        return settle(alpha, beta, ply);
    }

    // Whether so many plies surely lead to the end, whose score is exact.
    bool ends_within(int depth) const {
        if constexpr (KnowsEnd<P>) return position_.plies_left() <= depth;
        return false;
    }

    bool in_trouble() const {
        if constexpr (HasTactics<P>) return position_.is_in_trouble();
        return false;
    }

    // Whether doing nothing is good enough already: then some move is, too. It proves no win.
    bool is_refuted_by_nothing(int depth, Score beta, int ply, int level) {
        if constexpr (MayDoNothing<P>) {
            if (depth < 3 || is_decisive(beta) || !position_.may_do_nothing() || position_.evaluate() < beta)
                return false;
            typename P::Undo undo;
            position_.do_nothing(undo);
            moves_[static_cast<std::size_t>(ply)] = -1;
            if constexpr (MayRepeat<P>) this->keys_[static_cast<std::size_t>(ply + 1)] = position_.repetition_key();
            const Score score =
                -search<false>(std::max(depth - 3 - depth / 4, 0), -beta, -beta + 1, ply + 1, level, false);
            position_.undo_nothing(undo);
            return !is_aborted_ && score >= beta;
        }
        return false;
    }

    // Whether the table knows a move that is good enough.
    bool is_refuted_by_known(int depth, Score beta, int level, Score& cut) const {
        if constexpr (KnowsKeysAfter<P>) {
            if (depth < P::kEnhancedDepth || is_decisive(beta) || !has_choice()) return false;
            std::array<int, P::kMaxMoves> moves;
            std::array<std::uint64_t, P::kMaxMoves> keys;
            const auto count = static_cast<std::size_t>(position_.moves(moves.data()));
            for (std::size_t i = 0; i < count; ++i) run_.table.prefetch(keys[i] = position_.key_after(moves[i]));
            for (std::size_t i = 0; i < count; ++i) {
                Stored known;
                if (!run_.table.find(keys[i], known)) continue;
                const bool bounds = known.limit == Limit::upper || known.limit == Limit::exact;
                if (!bounds || known.depth < depth - 1 || known.level > level || -known.score < beta) continue;
                cut = -known.score;
                return true;
            }
        }
        return false;
    }

    // Whether a shallow search is so far from the window that the deep one would hardly come back.
    bool is_foretold(int depth, Score alpha, Score beta, int ply, int level, Score& cut) {
        if constexpr (Foretells<P>) {
            if (level == 0 || foretelling_ >= 2 || is_decisive(alpha) || is_decisive(beta)) return false;
            const Foretelling by = position_.foretelling(depth);
            if (by.deviation <= 0 || by.depth >= depth) return false;
            const auto margin =
                static_cast<Score>(std::ceil(kConfidence[static_cast<std::size_t>(level)] * by.deviation));
            const Score now = bounded(position_.evaluate()), above = beta + margin, below = alpha - margin;
            ++foretelling_;
            bool found = false;
            const auto shallow = [&](Score bound) {  // whether it is more than that
                return by.depth ? search<false>(by.depth, bound, bound + 1, ply, level, false) : now;
            };
            if (now >= beta && above < kLargest && shallow(above - 1) >= above) {
                cut = beta;
                found = true;
            } else if (!is_aborted_ && now <= alpha && below > -kLargest && shallow(below) <= below) {
                cut = alpha;
                found = true;
            }
            --foretelling_;
            return found && !is_aborted_;
        }
        return false;
    }

    static int reduction(int depth, int number, bool is_pv, int history) {
        if constexpr (!Reduces<P>) return 0;
        if (depth < 3 || number < 3) return 0;
        static const auto table = [] {
            std::array<std::array<int, kReduced>, kReduced> out{};
            for (std::size_t d = 1; d < kReduced; ++d)
                for (std::size_t n = 1; n < kReduced; ++n)
                    out[d][n] = static_cast<int>(0.5 + std::log(static_cast<double>(d)) *
                                                           std::log(static_cast<double>(n)) / 2.25);
            return out;
        }();
        const int plain = table[static_cast<std::size_t>(std::min(depth, kReduced - 1))]
                               [static_cast<std::size_t>(std::min(number, kReduced - 1))];
        return std::clamp(plain - is_pv - history / (Learned::kMost / 2), 0, depth - 2);
    }

    static bool says_enough(const Stored& known, int depth, int level, Score alpha, Score beta) {
        if (known.limit == Limit::none) return false;
        const bool is_deep = known.depth >= depth && known.level <= level;
        if (!is_deep && !is_decisive(known.score)) return false;
        if (known.limit == Limit::exact) return is_deep || known.score >= beta || known.score <= alpha;
        return known.limit == Limit::lower ? known.score >= beta : known.score <= alpha;
    }

    // In the table wins count plies from the position, in the search from the root.
    static Score to_table(Score score, int ply) {
        if constexpr (CountsMargin<P>) return score;
        return score >= kSurelyWon ? score + ply : score <= -kSurelyWon ? score - ply : score;
    }
    static Score from_table(Score score, int ply) {
        if constexpr (CountsMargin<P>) return score;
        return score >= kSurelyWon ? score - ply : score <= -kSurelyWon ? score + ply : score;
    }

    Learned learned_;
    int root_depth_ = 0, seldepth_ = 0;

private:
    static constexpr int kReduced = 64;  // depths and moves that the table of reductions knows
    static constexpr std::array<double, kLevels + 1> kConfidence{0, 3.3, 2.6, 2.0, 1.5, 1.1};  // standard deviations

    int foretelling_ = 0;
};

}  // namespace tengen::alphabeta
