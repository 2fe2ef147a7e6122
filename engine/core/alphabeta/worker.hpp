// One thread of the search: iterative deepening, aspiration windows, the moves of the root. Knows no game.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/alphabeta/node.hpp"
#include "core/alphabeta/pruning.hpp"
#include "core/alphabeta/quiescence.hpp"
#include "core/alphabeta/reductions.hpp"
#include "core/alphabeta/static_evaluation.hpp"
#include "core/alphabeta/time_management.hpp"

namespace tengen::alphabeta {

template <Position P>
class Worker : public NodeSearch<P> {
public:
    // moves: those that the root may play. histories: of this thread, from earlier runs on.
    Worker(Run& run, const P& root, std::vector<RootMove> moves, Histories<P>& histories)
        : NodeSearch<P>(run, root, histories), root_moves_(std::move(moves)), time_manager_(run.settings.tuning) {}

    // Iterative deepening until the run is over. tell(moves): after each step that is complete, best first.
    template <class Tell>
    void deepen(int first_depth, const Tell& tell) {
        this->set_next_poll();
        const int lines = std::min(static_cast<int>(run_.settings.lines), static_cast<int>(root_moves_.size()));
        for (int depth = first_depth; depth < kMaxPly; ++depth) {
            if (passes_over(depth)) continue;
            depth = to_end(depth);
            bool is_full = false;  // looked to the end of the game
            if constexpr (KnowsEnd<P>) is_full = depth >= position_.plies_left();
            for (int level = first_level(); level >= 0; --level) {
                for (int line = 0; line < lines && !is_aborted_; ++line) aspiration_search(depth, level, line);
                if (!is_aborted_)  // a later line may have been found to be better
                    std::stable_sort(root_moves_.begin(), root_moves_.begin() + lines,
                                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
                for (int line = 0; line < lines && is_full && level == 0 && !is_aborted_; ++line)
                    root_moves_[static_cast<std::size_t>(line)].is_exact = true;
                tell(root_moves_);
                if (!is_full || is_aborted_ || leaves_out_enough()) break;
                if (solves_whole()) level = std::min(level, 1);  // the exact search is next
            }
            is_shallow_ = false;
            time_manager_.update(root_moves_[0], nodes_);
            this->poll();
            if (is_aborted_ || is_full || is_enough(depth, lines)) break;
            if (first_depth == 1 && lines == 1 && changes_best(depth)) {
                if (!is_aborted_) tell(root_moves_);
                if (is_enough(depth, lines)) break;
            }
        }
        this->poll();  // counts what is left
    }

private:
    using NodeSearch<P>::run_, NodeSearch<P>::position_, NodeSearch<P>::pv_, NodeSearch<P>::is_aborted_;
    using NodeSearch<P>::nodes_, NodeSearch<P>::is_shallow_, NodeSearch<P>::seldepth_, NodeSearch<P>::root_depth_,
        NodeSearch<P>::tuning_;

    int first_level() const {
        if constexpr (HasProbCut<P>)
            if (position_.has_probcut()) return static_cast<int>(run_.settings.selectivity);
        return 0;
    }

    // Whether a depth may be left out on the way to the one that bounds the run.
    bool passes_over(int depth) const {
        if constexpr (!HasOddEvenEffect<P>) return false;
        const int most = most_depth();
        return depth > 1 && most > depth && (most - depth) % 2 != 0;
    }
    // What bounds the depth; 0: nothing.
    int most_depth() const {
        const int own = static_cast<int>(run_.settings.depth), asked = run_.bounds.depth;
        return own && asked ? std::min(own, asked) : std::max(own, asked);
    }

    // The end of the game in place of this depth, where that is as cheap and no bound forbids it.
    int to_end(int depth) const {
        if constexpr (PlansEnd<P> || PlansExactEnd<P>) {
            const int end = position_.plies_left();
            const int most = most_depth(), from = first_level() ? end_from() : exact_from();
            if (most && most < (run_.bounds.to_end ? std::min(end, from) : end)) return depth;
            if (depth >= from) return std::max(depth, end);
        }
        return depth;
    }
    // Whether a search to the end that left something out is all that the bounds ask for.
    bool leaves_out_enough() const {
        if constexpr (PlansEnd<P> || PlansExactEnd<P>)
            return most_depth() && most_depth() < std::min(exact_from(), position_.plies_left());
        return false;
    }
    // Depths from which on a step looks to the end of the game.
    int exact_from() const {
        if constexpr (PlansExactEnd<P>) return position_.exact_from();
        return kMaxPly;
    }
    int end_from() const {
        if constexpr (PlansEnd<P>) return position_.end_from();
        return exact_from();
    }
    bool solves_whole() const {
        if constexpr (SolvesWhole<P>) return position_.solves_whole();
        return false;
    }

    // Whether another step would change nothing, or not be finished in time.
    bool is_enough(int depth, int lines) const {
        if (most_depth() && depth >= most_depth()) return true;
        if (run_.bounds.early_stop && root_moves_.size() == 1) return true;
        if (run_.bounds.early_stop && run_.bounds.seconds > 0 && run_.seconds() > time_manager_.seconds(run_.bounds))
            return true;
        // A win that was found by extensions may not be the shortest: the depth has to reach it.
        const bool is_any = TakesAnyWin<P> && run_.bounds.early_stop;
        return std::all_of(root_moves_.begin(), root_moves_.begin() + lines, [depth, is_any](const RootMove& one) {
            return counts_plies(one.score) && (CountsMargin<P> || is_any || depth >= kWin - std::abs(one.score));
        });
    }
    // Whether the position's own searches of the root find a win, or that the best move loses: then another is looked for.
    bool changes_best(int depth) {
        if constexpr (SolvesRoot<P, Worker>) {
            if (const auto win = position_.solve_root(nodes_, *this)) return takes_win(depth, win->first, win->second);
            for (int times = 0; !is_aborted_ && !is_decisive(root_moves_[0].score); ++times) {
                if (!position_.refutes(root_moves_[0].move, nodes_, *this)) return times > 0;
                aspiration_search(depth, 0, 0);
            }
            return true;
        }
        return false;
    }
    // Puts a move that wins first, if it may be played.
    bool takes_win(int depth, int move, Score score) {
        const auto found = std::find_if(root_moves_.begin(), root_moves_.end(),
                                        [move](const RootMove& one) { return one.move == move; });
        if (found == root_moves_.end()) return false;
        found->score = score;
        found->depth = depth;
        found->pv.assign(1, move);
        std::rotate(root_moves_.begin(), found, found + 1);
        return true;
    }
    // Plies that a late move of the root is looked at less deeply at first. It is asked for when the move has been made,
    // where nearly every move looks like a capture to the position: in chess castling alone is reduced.
    int root_reduction(int depth, std::size_t number, int move) const {
        if constexpr (Reduces<P>) {
            const auto at = static_cast<int>(number);
            if (depth < tuning_.root_lmr_depth || at < tuning_.root_lmr_moves || is_tactical(position_, move)) return 0;
            if (this->in_check() || this->gives_check(move)) return 0;
            return tuning_.root_lmr + (depth > tuning_.root_lmr_late_depth && at > tuning_.root_lmr_late_moves);
        }
        return 0;
    }
    // Search one more line of the root, the others aside, in an aspiration window that grows until the score lies within.
    void aspiration_search(int depth, int level, int line) {
        RootMove& best = root_moves_[static_cast<std::size_t>(line)];
        const Score expected = best.score;
        Score width = tuning_.window, alpha = -kInfinite, beta = kInfinite;
        if (depth >= tuning_.window_depth && expected > -kInfinite && !is_decisive(expected)) {
            alpha = std::max(expected - width, -kInfinite);
            beta = std::min(expected + width, kInfinite);
        }
        root_depth_ = depth;
        while (true) {
            const Score score = search_root(depth, level, alpha, beta, line);
            if (is_aborted_ || (score > alpha && score < beta)) return;
            width *= tuning_.window_growth;
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
            const bool is_played = this->with(move, depth, 0, [&](int rest) {
                if (static_cast<int>(i) == first) {
                    score = -this->template search<true>(rest, -beta, -low, 1, level, true);
                } else {
                    const int less = root_reduction(depth, i, move);
                    const int reduced = std::max(rest - less, std::min(rest, 1));
                    score = -this->template search<false>(reduced, -low - 1, -low, 1, level, true, true);
                    if (less > 0 && score > low && !is_aborted_)
                        score = -this->template search<false>(rest, -low - 1, -low, 1, level, true);
                    if (score > low && !is_aborted_)
                        score = -this->template search<true>(rest, -beta, -low, 1, level, true);
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
                if (found.pv.empty() || score < beta ||
                    !pv_[1].empty()) {  // else the line that was known is worth more
                    found.pv.assign(1, move);
                    if (is_played) found.pv.insert(found.pv.end(), pv_[1].begin(), pv_[1].end());
                }
                const auto begin = root_moves_.begin();
                std::rotate(begin + first, begin + static_cast<std::ptrdiff_t>(i),
                            begin + static_cast<std::ptrdiff_t>(i) + 1);
                if (score >= beta) return score;
            }
        }
        return best;
    }

    std::vector<RootMove> root_moves_;
    TimeManager time_manager_;
};

}  // namespace tengen::alphabeta
