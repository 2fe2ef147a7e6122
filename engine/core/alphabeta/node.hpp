// The search of a node: its window, the table, its moves in order. What a node is worth before its moves are tried is in
// judging.hpp, what is left out in cuts.hpp, what is looked at less in reductions.hpp, what happens where the depth ends
// in settle.hpp. Knows no game.
//
// Principal variation search (Marsland & Campbell 1982), late-move reductions, null moves (Donninger 1993), ProbCut (Buro
// 1995), futility, razoring, singular extensions, each only where the position offers what it needs.
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
    NodeSearch(Run& run, const P& root, Learned<P>& learned)
        : Path<P>(run, root), tuning_(run.settings.tuning), learned_(learned) {
        excluded_.fill(kNoMove);
    }

protected:
    using Path<P>::run_, Path<P>::position_, Path<P>::pv_, Path<P>::moves_, Path<P>::deeds_, Path<P>::horizon_;
    using Path<P>::is_aborted_, Path<P>::is_over, Path<P>::with, Path<P>::extend, Path<P>::kNever;

    static constexpr int kNoMove = -1;

    // is_cut: a move is expected to be good enough here (where the window is not the principal variation's).
    template <bool kPv>
    Score search(int depth, Score alpha, Score beta, int ply, int level, bool may_do_nothing, bool is_cut = false) {
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
        const bool is_in_trouble = in_trouble();
        if constexpr (HasTactics<P>)
            if (is_in_trouble && may_extend(ply)) depth += tuning_.check_extension;
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
        if (!kPv && is_known && trusts_table() && says_enough(known, depth, level, alpha, beta)) return known.score;

        Node node{depth, ply, level, is_known ? known.move : kNoMove, is_in_trouble, kPv, is_cut};
        look_at(node, is_known, known);
        if constexpr (!kPv) {
            Score cut = 0;
            if constexpr (JudgesNodes<P>)
                if (is_whole && !is_in_trouble && is_clear(depth, alpha, beta, ply, node.now, node.improves, cut))
                    return cut;
            if (may_do_nothing && !is_in_trouble && is_refuted_by_nothing(node, beta)) return beta;
            if (is_aborted_) return 0;
            if constexpr (ReadsExchanges<P> && JudgesNodes<P>)
                if (is_whole && !is_in_trouble && is_refuted_by_taking(node, beta, is_known, known, cut)) return cut;
            if (is_aborted_) return 0;
            if (is_refuted_by_known(depth, beta, level, cut)) return cut;
            if (is_foretold(depth, alpha, beta, ply, level, cut)) return cut;
            if (is_aborted_) return 0;
        }
        if constexpr (LooksAhead<P>)
            if (!kPv && depth == 1 && has_choice() && !ends_within(1)) return look(beta, ply);
        if constexpr (Reduces<P>)
            if (depth >= tuning_.iir_depth && node.first == kNoMove && is_whole) --depth;
        node.depth = depth;
        if constexpr (ExtendsSingular<P>)
            if (ply > 0 && depth >= tuning_.singular_depth && may_extend(ply) && is_known && known.move != kNoMove &&
                known.depth >= depth - tuning_.singular_known &&
                (known.limit == Limit::lower || known.limit == Limit::exact) && !is_decisive(known.score)) {
                Score cut = -kInfinite;
                node.more = singular(node, beta, known, cut);
                if (is_aborted_) return 0;
                if (!kPv && cut > -kInfinite) return cut;
            }

        const int outer = std::exchange(horizon_, kNever);
        auto [best, move] = search_moves<kPv>(node, alpha, beta);
        if (claims) best = std::max(best, 0);
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
            if (is_whole && !depends) correct(node, best, beta, move);
            if (best <= alpha && is_whole && ply > 0) praise_previous(ply, depth);
            horizon_ = depends ? std::min(outer, horizon_) : outer;
        }
        return best;
    }

    // What is known of a node before its moves are tried.
    struct Node {
        int depth, ply, level, first;
        bool is_in_trouble, is_pv, is_cut;
        Score plain = -kInfinite;  // the evaluation, as it is corrected for its aspects
        Score now = -kInfinite;    // the same, as the table corrects it
        bool improves = false;     // on that of two plies before
        bool first_takes = false;  // the first move is tactical
        int more = 0;              // plies that the first move is looked at deeper
    };

    template <bool kPv>
    std::pair<Score, int> search_moves(const Node& node, Score alpha, Score beta) {
        const int ply = node.ply, depth = node.depth, level = node.level;
        const auto here = static_cast<std::size_t>(ply);
        const Scene scene = this->scene(ply);
        Moves<P> moves(position_, learned_, node.first, scene, depth);
        if constexpr (EndsWithoutMoves<P>)
            if (moves.size() == 0) return {final_score(position_, ply), kNoMove};
        std::array<int, P::kMaxMoves> quiet_tried, tactical_tried;
        int quiets = 0, tacticals = 0, best_move = kNoMove, tried = 0;
        Score best = -kInfinite, low = alpha;
        for (int i = 0; i < moves.size(); ++i) {
            const int move = moves.at(i);
            if (move == excluded_[here]) continue;
            const bool quiet = !is_tactical(position_, move);
            if (tried == 0 || !quiet) this->fetch_after(move);
            const int history = quiet ? learned_.history(position_, move, scene) : 0;
            const int less = tried > 0 ? reduction(node, move, quiet, tried, history, scene) : 0;
            if constexpr (JudgesNodes<P> || ReadsExchanges<P>)
                if (tried > 0 && best > -kSurelyWon &&
                    is_left_out(move, quiet, tried, depth, std::max(depth - 1 - less, 0), low,
                                node.is_in_trouble ? kInfinite : node.now, node.improves, history))
                    continue;
            Score score = 0;
            is_quiet_[here] = quiet;
            const bool is_played = with(move, depth, ply, [&](int rest) {
                if (tried == 0) {
                    score = -search<kPv>(rest + (move == node.first ? node.more : 0), -beta, -low, ply + 1, level, true,
                                         !kPv && !node.is_cut);
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
                    if (quiet || RemembersDeeds<P>)
                        learned_.reward(position_, move, quiet, scene, depth, quiet_tried.data(), quiets,
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

    // Cuts (cuts.hpp): whether the node needs no search of its moves.
    bool is_refuted_by_nothing(const Node& node, Score beta);
    bool is_refuted_by_taking(const Node& node, Score beta, bool is_known, const Stored& known, Score& cut)
        requires(ReadsExchanges<P> && JudgesNodes<P>);
    bool is_refuted_by_known(int depth, Score beta, int level, Score& cut) const;
    bool is_foretold(int depth, Score alpha, Score beta, int ply, int level, Score& cut);
    bool is_clear(int depth, Score alpha, Score beta, int ply, Score now, bool improves, Score& cut)
        requires JudgesNodes<P>;
    bool is_left_out(int move, bool is_quiet, int tried, int depth, int reduced, Score alpha, Score now, bool improves,
                     int history) const
        requires(JudgesNodes<P> || ReadsExchanges<P>);
    int singular(const Node& node, Score beta, const Stored& known, Score& cut)
        requires ExtendsSingular<P>;

    // Ends (settle.hpp).
    Score look(Score beta, int ply);
    Score settle(Score alpha, Score beta, int ply, bool asks_table = true);
    Score settle_after(Score alpha, Score beta, int ply);

    Scene scene(int ply) const {
        Scene out{ply, ply > 0 ? moves_[static_cast<std::size_t>(ply) - 1] : kNoMove, {-1, -1, -1}};
        if constexpr (RemembersDeeds<P>)
            for (std::size_t i = 0; i < kAgo.size() && kAgo[i] <= ply; ++i)
                out.deeds[i] = deeds_[static_cast<std::size_t>(ply - kAgo[i])];
        return out;
    }
    // Evaluations, and what is learned of a node (judging.hpp).
    void look_at(Node& node, bool is_known, const Stored& known);
    Score corrected_evaluation() const;
    void correct(const Node& node, Score best, Score beta, int move);
    void praise_previous(int ply, int depth);

    // Whether the side to move has more than free moves.
    bool has_choice() const {
        if constexpr (HasFreeMoves<P>) return !position_.has_free_moves();
        return true;
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
    bool gives_trouble(int move) const {
        if constexpr (GivesTrouble<P>) return position_.troubles(move);
        return false;
    }
    // Whether something may be looked at deeper so many plies below the root.
    bool may_extend(int ply) const { return ply < tuning_.extension_reach * root_depth_; }
    bool may_claim() const {
        if constexpr (MayClaim<P>) return position_.may_claim();
        return false;
    }
    bool trusts_table() const {
        if constexpr (DoubtsTable<P>) return position_.trusts_table();
        return true;
    }

    // Reductions (reductions.hpp): how many plies less.
    int reduction(const Node& node, int move, bool quiet, int number, int history, const Scene& scene) const;

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

    const Tuning tuning_;
    Learned<P>& learned_;
    int root_depth_ = 0, seldepth_ = 0;

private:
    int foretelling_ = 0;
    std::array<Score, kMaxPly + 1> evaluations_{};  // along the path; -kInfinite in trouble (JudgesNodes)
    std::array<bool, kMaxPly + 1> is_quiet_{};      // the move on the path (RemembersDeeds)
    std::array<int, kMaxPly + 1> excluded_;         // a move that is left out as a trial, by ply
};

}  // namespace tengen::alphabeta
