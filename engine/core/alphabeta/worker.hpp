// One thread of the search: iterative deepening, principal variations, what is left out. Knows no game.
//
// Principal variation search (Marsland & Campbell 1982) with aspiration windows, a transposition table, late-move
// reductions, null moves (Donninger 1993) and ProbCut (Buro 1995), each only where the position offers what it needs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/alphabeta/moves.hpp"
#include "core/alphabeta/shared.hpp"

namespace tengen::alphabeta {

template <Position P>
class Worker {
public:
    // moves: those that the root may play.
    Worker(Run& run, const P& root, std::vector<RootMove> moves)
        : run_(run), position_(root), learned_(P::kMoveBound), root_moves_(std::move(moves)) {
        for (auto& line : pv_) line.reserve(kMaxPly);
        if constexpr (MayRepeat<P>) path_[0] = root.repetition_key();
    }

    // Deepen until the run is over. tell(moves): after each step that is complete, best first.
    template <class Tell>
    void think(int first_depth, const Tell& tell) {
        set_next_poll();
        const int lines = std::min(static_cast<int>(run_.settings.lines), static_cast<int>(root_moves_.size()));
        for (int depth = first_depth; depth < kMaxPly; ++depth) {
            bool is_full = false;  // looked to the end of the game
            if constexpr (KnowsEnd<P>) is_full = depth >= position_.plies_left();
            for (int level = level_at(is_full); level >= 0; --level) {
                for (int line = 0; line < lines && !is_aborted_; ++line) deepen(depth, level, line);
                for (int line = 0; line < lines && is_full && level == 0 && !is_aborted_; ++line)
                    root_moves_[static_cast<std::size_t>(line)].is_exact = true;
                tell(root_moves_);
                if (!is_full || is_aborted_) break;
            }
            is_shallow_ = false;
            poll();
            if (is_aborted_ || is_full || is_enough(depth, lines)) break;
        }
        run_.count(std::exchange(uncounted_, 0));
    }

    // A solver has looked at so many more nodes; whether it has to end.
    bool count(std::uint64_t nodes) {
        nodes_ += nodes;
        const bool over = run_.count(nodes);
        is_aborted_ = over && !is_shallow_;
        return over;
    }

private:
    static constexpr int kReduced = 64;  // depths and moves that the table of reductions knows
    static constexpr int kNever = std::numeric_limits<int>::max();
    static constexpr int kPollEvery = 1024;
    static constexpr std::array<double, kLevels + 1> kConfidence{0, 3.3, 2.6, 2.0, 1.5, 1.1};  // standard deviations

    int level_at(bool) const {
        if constexpr (Foretells<P>) return static_cast<int>(run_.settings.selectivity);
        return 0;
    }

    // Whether another step would change nothing, or not be finished in time.
    bool is_enough(int depth, int lines) const {
        if (run_.bounds.depth && depth >= run_.bounds.depth) return true;
        if (run_.bounds.early_stop && root_moves_.size() == 1) return true;
        if (run_.bounds.early_stop && run_.bounds.seconds > 0 && run_.seconds() > kSoftShare * run_.bounds.seconds) return true;
        return std::all_of(root_moves_.begin(), root_moves_.begin() + lines,
                           [](const RootMove& one) { return is_decisive(one.score); });
    }
    static constexpr double kSoftShare = 0.6;

    // Search one more line of the root, the others aside, until its score lies within the window.
    void deepen(int depth, int level, int line) {
        RootMove& best = root_moves_[static_cast<std::size_t>(line)];
        const Score expected = best.score;
        Score width = P::kAspiration, alpha = -kInfinite, beta = kInfinite;
        if (depth >= 4 && expected > -kInfinite && !is_decisive(expected)) {
            alpha = std::max(expected - width, -kInfinite);
            beta = std::min(expected + width, kInfinite);
        }
        root_depth_ = depth;
        while (true) {
            const Score score = search_root(depth, level, alpha, beta, line);
            if (is_aborted_ || (score > alpha && score < beta)) return;
            width *= 3;
            if (score <= alpha) {
                if (alpha == -kInfinite) return;
                beta = (alpha + beta) / 2 + 1;
                alpha = width > kLargest ? -kInfinite : std::max(score - width, -kInfinite);
            } else {
                if (beta == kInfinite) return;
                beta = width > kLargest ? kInfinite : std::min(score + width, kInfinite);
            }
        }
    }

    Score search_root(int depth, int level, Score alpha, Score beta, int first) {
        Score best = -kInfinite;
        for (std::size_t i = static_cast<std::size_t>(first); i < root_moves_.size(); ++i) {
            const std::uint64_t before = nodes_;
            const int move = root_moves_[i].move;
            const Score low = std::max(alpha, best);
            seldepth_ = 0;
            Score score = 0;
            const bool is_played = with(move, depth, 0, [&](int rest) {
                if (static_cast<int>(i) == first) {
                    score = -search<true>(rest, -beta, -low, 1, level, true);
                } else {
                    score = -search<false>(rest, -low - 1, -low, 1, level, true);
                    if (score > low && !is_aborted_) score = -search<true>(rest, -beta, -low, 1, level, true);
                }
            });
            if constexpr (MayRepeat<P>)
                if (!is_played && P::kRepetitionForbidden) continue;
            root_moves_[i].nodes += nodes_ - before;
            if (is_aborted_) return best;
            if (score > best) best = score;
            if (score > low || (i == static_cast<std::size_t>(first) && low == -kInfinite)) {
                RootMove& found = root_moves_[i];
                found.score = score;
                found.depth = depth;
                found.seldepth = std::max(seldepth_, 1);
                found.pv.assign(1, move);
                if (is_played) found.pv.insert(found.pv.end(), pv_[1].begin(), pv_[1].end());
                const auto begin = root_moves_.begin();
                std::rotate(begin + first, begin + static_cast<std::ptrdiff_t>(i), begin + static_cast<std::ptrdiff_t>(i) + 1);
                if (score >= beta) return score;
            }
        }
        return best;
    }

    // Play a move, call what(depth that is left), take the move back. False for a move that makes a draw by repetition
    // here, or would repeat where that is forbidden: it is not played.
    template <class What>
    bool with(int move, int depth, int ply, const What& what) {
        if constexpr (MayRepeat<P>)
            if (position_.may_repeat(move) && recurs(position_.repetition_key_after(move), ply)) return false;
        bool is_free = false;
        if constexpr (HasFreeMoves<P>) is_free = position_.is_free(move);
        typename P::Undo undo;
        position_.play(move, undo);
        moves_[static_cast<std::size_t>(ply)] = move;
        if constexpr (MayRepeat<P>) path_[static_cast<std::size_t>(ply + 1)] = position_.repetition_key();
        what(is_free ? depth : depth - 1);
        position_.undo(move, undo);
        return true;
    }

    // Whether the game or this line was at that position; then what is found here holds on this path alone.
    bool recurs(std::uint64_t key, int ply) {
        if constexpr (MayRepeat<P>) {
            for (int i = ply; i >= 0; --i)
                if (path_[static_cast<std::size_t>(i)] == key) {
                    horizon_ = std::min(horizon_, i);
                    return true;
                }
            if (run_.facts.times(key) >= (P::kRepetitionForbidden ? 1u : 2u)) {
                horizon_ = -1;
                return true;
            }
        }
        return false;
    }

    // One more node; whether the run is over. The first step always comes to its end, so that there is a move to report.
    bool is_over() {
        ++nodes_;
        if (++uncounted_ >= next_poll_) poll();
        return is_aborted_;
    }
    void poll() {
        const bool over = run_.count(std::exchange(uncounted_, 0));
        set_next_poll();
        is_aborted_ = over && !is_shallow_;
    }
    void set_next_poll() {
        next_poll_ = kPollEvery;
        if (const std::uint64_t most = run_.most_nodes()) {
            const std::uint64_t left = most - std::min(most, run_.nodes());
            next_poll_ = std::clamp<std::uint64_t>(left, 1, kPollEvery);
        }
    }

    template <bool kPv>
    Score search(int depth, Score alpha, Score beta, int ply, int level, bool may_do_nothing) {
        const auto here = static_cast<std::size_t>(ply);
        pv_[here].clear();
        if (is_over()) return 0;
        seldepth_ = std::max(seldepth_, ply);
        if (position_.is_terminal()) return final_score(position_, ply);
        if (ply >= kMaxPly - 1) return bounded(position_.evaluate());
        if constexpr (KnowsEnd<P>) depth = std::min(depth, position_.plies_left());
        const bool is_in_trouble = in_trouble();
        if (is_in_trouble && ply < 2 * root_depth_) ++depth;
        if (depth <= 0) return settle(alpha, beta, ply);
        if constexpr (!CountsMargin<P>) {  // no line from here is better than the shortest win, or worse than the soonest loss
            alpha = std::max(alpha, -kWin + ply);
            beta = std::min(beta, kWin - ply - 1);
            if (alpha >= beta) return alpha;
        }
        if constexpr (Solves<P, Worker>)
            if (const auto solved = position_.solve(alpha, beta, *this)) return *solved;
        if (is_aborted_) return 0;

        const std::uint64_t key = position_.key();
        Stored known;
        const bool is_known = run_.table.find(key, known);
        if (is_known) known.score = from_table(known.score, ply);
        if (!kPv && is_known && says_enough(known, depth, level, alpha, beta)) return known.score;

        if constexpr (!kPv) {
            if (may_do_nothing && !is_in_trouble && is_refuted_by_nothing(depth, beta, ply, level)) return beta;
            if (is_aborted_) return 0;
            Score cut = 0;
            if (is_foretold(depth, alpha, beta, ply, level, cut)) return cut;
            if (is_aborted_) return 0;
        }
        if constexpr (Reduces<P>)
            if (depth >= 5 && (!is_known || known.move < 0)) --depth;

        const int outer = std::exchange(horizon_, kNever);
        const auto [best, move] = search_moves<kPv>(depth, alpha, beta, ply, level, is_known ? known.move : -1, is_in_trouble);
        if (!is_aborted_) {
            const bool depends = horizon_ < ply;  // on how the game came here
            if (!depends)
                run_.table.store(key, {move, to_table(best, ply), depth, level,
                                       best >= beta ? Limit::lower : kPv && best > alpha ? Limit::exact : Limit::upper});
            else if (move >= 0)
                run_.table.store(key, {move, 0, 0, level, Limit::none});
            horizon_ = depends ? std::min(outer, horizon_) : outer;
        }
        return best;
    }

    template <bool kPv>
    std::pair<Score, int> search_moves(int depth, Score alpha, Score beta, int ply, int level, int first, bool is_in_trouble) {
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

    bool in_trouble() const {
        if constexpr (HasTactics<P>) return position_.is_in_trouble();
        return false;
    }

    // Whether doing nothing is good enough already: then some move is, too. It proves no win.
    bool is_refuted_by_nothing(int depth, Score beta, int ply, int level) {
        if constexpr (MayDoNothing<P>) {
            if (depth < 3 || is_decisive(beta) || !position_.may_do_nothing() || position_.evaluate() < beta) return false;
            typename P::Undo undo;
            position_.do_nothing(undo);
            moves_[static_cast<std::size_t>(ply)] = -1;
            if constexpr (MayRepeat<P>) path_[static_cast<std::size_t>(ply + 1)] = position_.repetition_key();
            const Score score = -search<false>(std::max(depth - 3 - depth / 4, 0), -beta, -beta + 1, ply + 1, level, false);
            position_.undo_nothing(undo);
            return !is_aborted_ && score >= beta;
        }
        return false;
    }

    // Whether a shallow search is so far from the window that the deep one would hardly come back.
    bool is_foretold(int depth, Score alpha, Score beta, int ply, int level, Score& cut) {
        if constexpr (Foretells<P>) {
            if (level == 0 || foretelling_ >= 2 || is_decisive(alpha) || is_decisive(beta)) return false;
            const Foretelling by = position_.foretelling(depth);
            if (by.depth <= 0 || by.depth >= depth) return false;
            const auto margin = static_cast<Score>(std::ceil(kConfidence[static_cast<std::size_t>(level)] * by.deviation));
            const Score above = beta + margin, below = alpha - margin;
            ++foretelling_;
            bool found = false;
            if (above < kLargest && search<false>(by.depth, above - 1, above, ply, level, false) >= above) {
                cut = beta;
                found = true;
            } else if (!is_aborted_ && below > -kLargest &&
                       search<false>(by.depth, below, below + 1, ply, level, false) <= below) {
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
                    out[d][n] = static_cast<int>(0.5 + std::log(static_cast<double>(d)) * std::log(static_cast<double>(n)) / 2.25);
            return out;
        }();
        const int plain = table[static_cast<std::size_t>(std::min(depth, kReduced - 1))][static_cast<std::size_t>(std::min(number, kReduced - 1))];
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

    void extend(int move, std::size_t here) {
        pv_[here].assign(1, move);
        pv_[here].insert(pv_[here].end(), pv_[here + 1].begin(), pv_[here + 1].end());
    }

    Run& run_;
    P position_;
    Learned learned_;
    std::vector<RootMove> root_moves_;
    std::array<std::vector<int>, kMaxPly + 1> pv_;
    std::array<int, kMaxPly + 1> moves_{};             // on the path; -1: nothing was done
    std::array<std::uint64_t, kMaxPly + 1> path_{};    // repetition keys
    int horizon_ = kNever;  // the first ply of the path whose position was repeated below the present node
    int root_depth_ = 0, seldepth_ = 0, foretelling_ = 0;
    bool is_aborted_ = false, is_shallow_ = true;
    std::uint64_t nodes_ = 0, uncounted_ = 0, next_poll_ = kPollEvery;
};

}  // namespace tengen::alphabeta
