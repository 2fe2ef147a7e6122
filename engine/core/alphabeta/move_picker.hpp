// The moves of a node in the order in which they are tried.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "core/alphabeta/histories.hpp"
#include "core/alphabeta/position.hpp"

namespace tengen::alphabeta {

template <Position P>
bool is_tactical(const P& position, int move) {
    if constexpr (HasTactics<P>) return position.is_tactical(move);
    return false;
}

// Rated when they are asked for, tactical moves before the others, and sorted as far as they are asked for: most nodes need
// a move or two. Holds for one position, to which the search has come back whenever it asks.
template <Position P>
class MovePicker {
public:
    static constexpr int kNone = -1;

    // All that count; `first` leads if it is one of them.
    MovePicker(const P& position, const Histories<P>& histories, int first, const HistoryContext& context, int depth)
        : position_(position), histories_(&histories), context_(context), depth_(depth) {
        size_ = position.moves(moves_.data());
        find_lead(first);
    }
    // All, by what the position says of them alone.
    explicit MovePicker(const P& position) : position_(position), depth_(1) { size_ = position.moves(moves_.data()); }
    // Those of quiescence.
    MovePicker(const P& position, const Histories<P>& histories, int first)
        requires HasTactics<P>
        : position_(position), histories_(&histories) {
        size_ = position.tactical_moves(moves_.data());
        find_lead(first);
    }

    int size() const { return size_; }
    // The best that is left, of equal ones the earlier; kNone after the last. Tactical moves that lose by exchanges come
    // after all others where the position can tell (EvaluatesExchanges).
    int next() {
        if (rated_ == 0 && lead_ >= 0 && !std::exchange(is_lead_told_, true))
            return moves_[static_cast<std::size_t>(lead_)];
        if (rated_ == 0) rate();
        Rank best = best_left();
        if (rated_ == 1 && worth_of(best) <= kTactical / 2) {  // no tactical move is left that does not lose
            rate_quiet();
            best = best_left();
        }
        if (best == kTaken) return kNone;
        is_losing_ = worth_of(best) < -kTactical / 2;
        rank(best) = kTaken;
        return move_of(best);
    }
    // Whether the one that `next` told last is one of those.
    bool is_losing() const { return is_losing_; }
    // Leave out what is neither tactical nor, as far as the position can tell, a check.
    void drop_plain() {
        if (std::exchange(drops_plain_, true) || rated_ < 2) return;
        for (int i = 0; i < size_; ++i)
            if (is_plain(moves_[static_cast<std::size_t>(i)])) ranks_[static_cast<std::size_t>(i)] = kTaken;
    }

private:
    // Ranks: worth in units of kMaxRated, less the number of the move. They are narrow where they fit, since the highest is
    // sought sixteen at a time: |worth|, which is kTactical, what `order` says and the histories, stays below 1 << 22.
    using Rank = std::conditional_t<OrdersNarrowly<P>, std::int32_t, std::int64_t>;
    static constexpr int kTactical = 1 << 20, kRatedBits = 9, kMaxRated = 1 << kRatedBits;
    static constexpr Rank kTaken = std::numeric_limits<Rank>::min();
    static constexpr std::size_t kAtOnce = 16;
    static constexpr std::size_t kRoom = (static_cast<std::size_t>(P::kMaxMoves) + kAtOnce - 1) / kAtOnce * kAtOnce;
    static_assert(P::kMaxMoves <= kMaxRated);

    static std::size_t number_of(Rank rank) {
        return static_cast<std::size_t>(kMaxRated - 1 - (rank & (kMaxRated - 1)));
    }
    static int worth_of(Rank rank) { return static_cast<int>(rank >> kRatedBits); }
    int move_of(Rank rank) const { return moves_[number_of(rank)]; }
    Rank& rank(Rank of) { return ranks_[number_of(of)]; }

    void find_lead(int first) {
        for (int i = 0; i < size_; ++i)
            if (moves_[static_cast<std::size_t>(i)] == first) lead_ = i;
    }
    // The highest rank left, once tactical moves that lose are put behind all others.
    Rank best_left() {
        Rank best = highest();
        if constexpr (EvaluatesExchanges<P>)
            while (worth_of(best) > kTactical / 2 && !position_.see_ge(move_of(best), 0)) {
                rank(best) -= Rank{2} * kTactical * kMaxRated;
                best = highest();
            }
        return best;
    }
    // All moves; only the tactical ones where others follow and are ordered by themselves.
    void rate() {
        std::fill(ranks_.begin(), ranks_.begin() + rounded(), kTaken);
        if constexpr (HasTacticalMoves<P> && OrdersMoves<P>) {
            if (histories_ && depth_ > 0) {
                rate_those(0, [this](int move) { return position_.is_tactical(move); });
                rated_ = 1;
                return;
            }
        }
        rate_those(depth_, [this](int move) { return !(drops_plain_ && is_plain(move)); });
        rated_ = 2;
    }
    void rate_quiet() {
        rate_those(depth_,
                   [this](int move) { return !is_tactical(position_, move) && !(drops_plain_ && is_plain(move)); });
        rated_ = 2;
    }
    bool is_plain(int move) const {
        if constexpr (GivesCheck<P>)
            if (position_.gives_check(move)) return false;
        return !is_tactical(position_, move);
    }
    // Those of which `is_one` is true, but for the lead. depth: for the position's own order, which may look at less at 0.
    template <class IsOne>
    void rate_those(int depth, const IsOne& is_one) {
        std::array<int, kRoom> those, at, worth;
        std::size_t n = 0;
        for (int i = 0; i < size_; ++i) {
            const int move = moves_[static_cast<std::size_t>(i)];
            if (i == lead_ || !is_one(move)) continue;
            those[n] = move;
            at[n++] = i;
        }
        if constexpr (OrdersMoves<P>)
            position_.order(std::span<const int>(those.data(), n), depth, worth.data());
        else
            std::fill_n(worth.begin(), n, 0);
        for (std::size_t j = 0; j < n; ++j) {
            if (histories_) worth[j] += history_of(those[j]);
            ranks_[static_cast<std::size_t>(at[j])] = Rank{worth[j]} * kMaxRated + kMaxRated - 1 - at[j];
        }
    }
    int history_of(int move) const {
        if (is_tactical(position_, move)) return kTactical + histories_->capture_history(position_, move);
        if (depth_ == 0) return 0;
        return histories_->worth(position_, move, context_);
    }
    Rank highest() const {
        Rank best = kTaken;
        for (std::size_t j = 0, end = static_cast<std::size_t>(rounded()); j < end; ++j)
            best = std::max(best, ranks_[j]);
        return best;
    }
    std::ptrdiff_t rounded() const {
        return static_cast<std::ptrdiff_t>((static_cast<std::size_t>(size_) + kAtOnce - 1) / kAtOnce * kAtOnce);
    }

    const P& position_;
    const Histories<P>* histories_ = nullptr;
    HistoryContext context_;
    int depth_ = 0, size_ = 0, lead_ = -1;
    int rated_ = 0;  // 1: the tactical moves, 2: all
    bool is_lead_told_ = false, is_losing_ = false, drops_plain_ = false;
    std::array<int, kRoom> moves_;
    std::array<Rank, kRoom> ranks_;
};

}  // namespace tengen::alphabeta
