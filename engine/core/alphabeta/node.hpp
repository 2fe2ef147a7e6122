// The search of a node: its window, the table, its moves in order. Its parts are in static_evaluation.hpp, pruning.hpp (of
// nodes and of moves), reductions.hpp and quiescence.hpp. Knows no game.
//
// Principal variation search (Marsland & Campbell 1982), late-move reductions, null moves (Donninger 1993), ProbCut (Buro
// 1995), futility, razoring, singular extensions, each only where the position offers what it needs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/alphabeta/move_picker.hpp"
#include "core/alphabeta/path.hpp"

namespace tengen::alphabeta {

template <Position P>
class NodeSearch : public Path<P> {
public:
    NodeSearch(Run& run, const P& root, Histories<P>& histories)
        : Path<P>(run, root), tuning_(run.settings.tuning), histories_(histories) {
        excluded_.fill(kNoMove);
    }

protected:
    using Path<P>::run_, Path<P>::position_, Path<P>::pv_, Path<P>::moves_, Path<P>::piece_tos_,
        Path<P>::repetition_ply_;
    using Path<P>::is_aborted_, Path<P>::is_over, Path<P>::with, Path<P>::extend, Path<P>::kNever;

    static constexpr int kNoMove = -1;

    // is_cut: a cut node, which is expected to fail high (where the window is not the principal variation's).
    template <bool kPv>
    Score search(int depth, Score alpha, Score beta, int ply, int level, bool may_play_null, bool is_cut = false) {
        const auto here = static_cast<std::size_t>(ply);
        pv_[here].clear();
        if (is_over()) return 0;
        seldepth_ = std::max(seldepth_, ply);
        if constexpr (TrustsLeaves<P>)
            if (depth <= 0 && !ends_within(0)) return bounded(position_.evaluate());
        const std::uint64_t key = position_.key();
        if (depth >= tuning_.table_depth) run_.table.prefetch(key);
        if (const auto end = known_end(position_, ply)) return *end;
        if (ply >= kMaxPly - 1) return bounded(position_.evaluate());
        if constexpr (KnowsEnd<P>) depth = std::min(depth, position_.plies_left());
        const bool is_in_check = in_check();
        if constexpr (HasTactics<P>)
            if (is_in_check && depth >= tuning_.check_depth && may_extend(ply)) depth += tuning_.check_extension;
        if (depth <= 0) return quiescence(alpha, beta, ply);
        if constexpr (!CountsMargin<P>) {  // no line from here is better than the shortest win, or worse than the
                                           // soonest loss
            alpha = std::max(alpha, -kWin + ply);
            beta = std::min(beta, kWin - ply - 1);
            if (alpha >= beta) return alpha;
        }
        if constexpr (Solves<P, NodeSearch>)
            if (const auto solved = position_.solve(depth, alpha, beta, level, *this)) return *solved;
        if (is_aborted_) return 0;
        const bool claims = may_claim();  // then nothing is worth less than a draw
        if (claims) {
            if (beta <= 0) return 0;
            alpha = std::max(alpha, 0);
        }

        const bool is_whole = excluded_[here] == kNoMove;  // else a move is left out as a trial
        const bool is_kept = depth >= tuning_.table_depth && is_whole;
        Stored known;
        const bool is_known = is_kept && run_.table.find(key, known);
        if (is_known) known.score = from_table(known.score, ply);
        if (!kPv && is_known && trusts_table() && gives_cutoff(known, depth, level, alpha, beta)) return known.score;

        Score least = -kInfinite, most = kInfinite;  // by tables
        if constexpr (ProbesTables<P>)
            if (is_whole)
                if (const auto result = position_.probe(depth)) {
                    run_.count_probe();
                    const Score score = *result > 0 ? kTableWin - ply : *result < 0 ? -kTableWin + ply : 0;
                    const Bound bound = *result > 0 ? Bound::lower : *result < 0 ? Bound::upper : Bound::exact;
                    if (gives_cutoff({kNoMove, score, depth, 0, bound}, depth, level, alpha, beta)) {
                        run_.table.store(key, {kNoMove, to_table(score, ply), depth, level, bound});
                        return score;
                    }
                    if (*result > 0)
                        alpha = std::max(alpha, least = score);
                    else
                        most = score;
                }

        Node node{depth, ply, level, is_known ? known.move : kNoMove, is_in_check, kPv, is_cut};
        evaluate_node(node, is_known, known);
        if constexpr (!kPv) {
            Score cut = 0;
            if constexpr (PrunesByEvaluation<P>)
                if (is_whole && !is_in_check &&
                    is_cut_by_evaluation(depth, alpha, beta, ply, node.evaluation, node.is_improving, cut))
                    return cut;
            if (may_play_null && !is_in_check && is_cut_by_null_move(node, beta)) return beta;
            if (is_aborted_) return 0;
            if constexpr (EvaluatesExchanges<P> && PrunesByEvaluation<P>)
                if (is_whole && !is_in_check && is_cut_by_captures(node, beta, is_known, known, cut)) return cut;
            if (is_aborted_) return 0;
            if (is_cut_by_children(depth, beta, level, cut)) return cut;
            if (is_cut_by_probcut(depth, alpha, beta, ply, level, cut)) return cut;
            if (is_aborted_) return 0;
        }
        if constexpr (EvaluatesAfter<P>)
            if (!kPv && depth == 1 && has_choice() && !ends_within(1)) return search_frontier(beta, ply);
        if constexpr (Reduces<P>)
            if (depth >= tuning_.iir_depth && node.table_move == kNoMove && is_whole) --depth;
        node.depth = depth;
        if constexpr (ExtendsSingular<P>)
            if (ply > 0 && depth >= tuning_.singular_depth && may_extend(ply) && is_known && known.move != kNoMove &&
                known.depth >= depth - tuning_.singular_known &&
                (known.bound == Bound::lower || known.bound == Bound::exact) && !is_decisive(known.score)) {
                Score cut = -kInfinite;
                node.extension = singular_extension(node, beta, known, cut);
                if (is_aborted_) return 0;
                if (!kPv && cut > -kInfinite) return cut;
            }

        const int outer = std::exchange(repetition_ply_, kNever);
        auto [best, move] = search_moves<kPv>(node, alpha, beta);
        if (claims) best = std::max(best, 0);
        best = std::clamp(as_proved(best, depth), least, most);
        if (!is_aborted_) {
            const bool depends = repetition_ply_ < ply;  // on how the game came here
            if (!is_kept) {
            } else if (!depends)
                run_.table.store(key, {move, to_table(best, ply), depth, level,
                                       best >= beta          ? Bound::lower
                                       : kPv && best > alpha ? Bound::exact
                                                             : Bound::upper});
            else if (move >= 0)
                run_.table.store(key, {move, 0, 0, level, Bound::none});
            if (is_whole && !depends) update_correction_history(node, best, beta, move);
            if (best <= alpha && is_whole && ply > 0) update_on_fail_low(ply, depth);
            repetition_ply_ = depends ? std::min(outer, repetition_ply_) : outer;
        }
        return best;
    }

    // What is known of a node before its moves are tried.
    struct Node {
        int depth, ply, level, table_move;
        bool is_in_check, is_pv, is_cut;
        Score static_evaluation = -kInfinite;  // by the evaluator, as the correction history corrects it
        Score evaluation = -kInfinite;         // the same, or a better estimate of the table
        bool is_improving = false;             // on the static evaluation of two plies before
        bool is_table_move_tactical = false;
        int extension = 0;  // plies that the table's move is searched deeper
    };

    template <bool kPv>
    std::pair<Score, int> search_moves(const Node& node, Score alpha, Score beta) {
        const int ply = node.ply, depth = node.depth, level = node.level;
        const auto here = static_cast<std::size_t>(ply);
        const HistoryContext context = this->context(ply);
        MovePicker<P> moves(position_, histories_, node.table_move, context, depth);
        if constexpr (EndsWithoutMoves<P>)
            if (moves.size() == 0) return {final_score(position_, ply), kNoMove};
        std::array<int, P::kMaxMoves> quiet_tried, tactical_tried;
        int quiets = 0, tacticals = 0, best_move = kNoMove, tried = 0;
        Score best = -kInfinite, low = alpha;
        while (true) {
            if (tried > 0 && best >= -kLargest && is_late(tried, depth, node.is_improving)) moves.drop_plain();
            const int move = moves.next();
            if (move == kNoMove) break;
            if (move == excluded_[here]) continue;
            const bool quiet = !is_tactical(position_, move);
            if (tried == 0 || !quiet) this->prefetch_after(move);
            const int history = quiet ? histories_.history(position_, move, context) : 0;
            const int less = tried > 0 ? reduction(node, move, quiet, tried, history, context) : 0;
            if constexpr (PrunesByEvaluation<P> || EvaluatesExchanges<P>)
                if (tried > 0 && best >= -kLargest &&
                    is_pruned(move, quiet, depth, std::max(depth - 1 - less, 0), low,
                              node.is_in_check ? kInfinite : node.evaluation, history))
                    continue;
            Score score = 0;
            is_quiet_[here] = quiet;
            const bool is_played = with(move, depth, ply, [&](int rest) {
                if (tried == 0) {
                    score = -search<kPv>(rest + (move == node.table_move ? node.extension : 0), -beta, -low, ply + 1,
                                         level, true, !kPv && !node.is_cut);
                    return;
                }
                const int reduced = std::max(rest - less, std::min(rest, 1));
                score = -search<false>(reduced, -low - 1, -low, ply + 1, level, true, true);
                if (less > 0 && score > low && !is_aborted_)
                    score = -search<false>(rest, -low - 1, -low, ply + 1, level, true, !node.is_cut);
                if (kPv && score > low && score < beta && !is_aborted_)
                    score = -search<true>(rest, -beta, -low, ply + 1, level, true);
            });
            if (is_aborted_) return {best, best_move};
            if (!is_played) {
                if constexpr (MayRepeat<P>)
                    if (P::kRepetitionForbidden) continue;
                pv_[here + 1].clear();
            }
            ++tried;
            if (score > best) {
                best = score;
                if (score > low) {
                    best_move = move;
                    low = score;
                    if (kPv) extend(move, here);
                }
                if (score >= beta) {
                    if (quiet || HasContinuationHistory<P>)
                        histories_.update_on_cutoff(position_, move, quiet, context, depth, quiet_tried.data(), quiets,
                                                    tactical_tried.data(), tacticals);
                    break;
                }
            }
            if (quiet)
                quiet_tried[static_cast<std::size_t>(quiets++)] = move;
            else
                tactical_tried[static_cast<std::size_t>(tacticals++)] = move;
        }
        // Every move would repeat, or the only one is left out as a trial.
        if (best == -kInfinite) best = excluded_[here] == kNoMove ? bounded(position_.evaluate()) : alpha;
        return {best, best_move};
    }

    // pruning.hpp. is_cut_by_...: whether the node is pruned before its moves are searched; `cut` is then its score.
    bool is_cut_by_null_move(const Node& node, Score beta);
    bool is_cut_by_captures(const Node& node, Score beta, bool is_known, const Stored& known, Score& cut)
        requires(EvaluatesExchanges<P> && PrunesByEvaluation<P>);
    bool is_cut_by_children(int depth, Score beta, int level, Score& cut) const;
    bool is_cut_by_probcut(int depth, Score alpha, Score beta, int ply, int level, Score& cut);
    bool is_cut_by_evaluation(int depth, Score alpha, Score beta, int ply, Score evaluation, bool is_improving,
                              Score& cut)
        requires PrunesByEvaluation<P>;
    bool is_late(int tried, int depth, bool is_improving) const;
    bool is_pruned(int move, bool is_quiet, int depth, int reduced, Score alpha, Score evaluation, int history) const
        requires(PrunesByEvaluation<P> || EvaluatesExchanges<P>);
    int singular_extension(const Node& node, Score beta, const Stored& known, Score& cut)
        requires ExtendsSingular<P>;

    // quiescence.hpp
    Score search_frontier(Score beta, int ply);
    Score quiescence(Score alpha, Score beta, int ply, bool asks_table = true);
    Score quiescence_below(Score alpha, Score beta, int ply);

    HistoryContext context(int ply) const {
        HistoryContext out{ply, ply > 0 ? moves_[static_cast<std::size_t>(ply) - 1] : kNoMove, {-1, -1, -1}};
        if constexpr (HasContinuationHistory<P>)
            for (std::size_t i = 0; i < kContinuationPlies.size() && kContinuationPlies[i] <= ply; ++i)
                out.piece_tos[i] = piece_tos_[static_cast<std::size_t>(ply - kContinuationPlies[i])];
        return out;
    }
    // static_evaluation.hpp
    void evaluate_node(Node& node, bool is_known, const Stored& known);
    Score corrected_evaluation() const;
    void update_correction_history(const Node& node, Score best, Score beta, int move);
    void update_on_fail_low(int ply, int depth);

    // Whether the side to move has more than free moves.
    bool has_choice() const {
        if constexpr (HasFreeMoves<P>) return !position_.has_free_moves();
        return true;
    }
    // A loss by all moves that were tried, if it is one by all.
    Score as_proved(Score best, int depth) const {
        if constexpr (KnowsCompleteness<P>)
            if (best < -kLargest && !position_.is_complete(depth)) return -kLargest;
        return best;
    }
    // Whether so many plies surely lead to the end, whose score is exact.
    bool ends_within(int depth) const {
        if constexpr (KnowsEnd<P>) return position_.plies_left() <= depth;
        return false;
    }
    bool in_check() const {
        if constexpr (HasTactics<P>) return position_.is_in_check();
        return false;
    }
    bool gives_check(int move) const {
        if constexpr (GivesCheck<P>) return position_.gives_check(move);
        return false;
    }
    // Whether a line may be extended so many plies below the root.
    bool may_extend(int ply) const { return ply < tuning_.extension_reach * root_depth_; }
    bool may_claim() const {
        if constexpr (MayClaim<P>) return position_.may_claim();
        return false;
    }
    bool trusts_table() const {
        if constexpr (DoubtsTable<P>) return position_.trusts_table();
        return true;
    }

    // reductions.hpp: how many plies less.
    int reduction(const Node& node, int move, bool quiet, int number, int history, const HistoryContext& context) const;

    static bool gives_cutoff(const Stored& known, int depth, int level, Score alpha, Score beta) {
        if (known.bound == Bound::none) return false;
        const bool is_deep = known.depth >= depth && known.level <= level;
        if (!is_deep && !is_decisive(known.score)) return false;
        if (known.bound == Bound::exact) return is_deep || known.score >= beta || known.score <= alpha;
        return known.bound == Bound::lower ? known.score >= beta : known.score <= alpha;
    }

    // In the table wins count plies from the position, in the search from the root.
    static Score to_table(Score score, int ply) {
        if constexpr (CountsMargin<P>) return score;
        return score > kLargest ? score + ply : score < -kLargest ? score - ply : score;
    }
    static Score from_table(Score score, int ply) {
        if constexpr (CountsMargin<P>) return score;
        return score > kLargest ? score - ply : score < -kLargest ? score + ply : score;
    }

    const Tuning tuning_;
    Histories<P>& histories_;
    int root_depth_ = 0, seldepth_ = 0;

private:
    int probcut_nesting_ = 0;
    std::array<Score, kMaxPly + 1> evaluations_{};  // along the path; -kInfinite in check (PrunesByEvaluation)
    std::array<bool, kMaxPly + 1> is_quiet_{};      // the move on the path (HasContinuationHistory)
    std::array<int, kMaxPly + 1> excluded_;         // a move that is left out as a trial, by ply
};

}  // namespace tengen::alphabeta
