// One line of play from the root: moves made and taken back, what they repeat, nodes counted until the run is over.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/alphabeta/position.hpp"
#include "core/alphabeta/run.hpp"

namespace tengen::alphabeta {

template <Position P>
class Path {
public:
    Path(Run& run, const P& root) : run_(run), position_(root) {
        if constexpr (MayRepeat<P>) keys_[0] = root.repetition_key();
    }

    // A solver has looked at so many more nodes; whether it has to end.
    bool count(std::uint64_t nodes) {
        nodes_ += nodes;
        const bool over = run_.count(nodes);
        is_aborted_ = over && !is_shallow_;
        return over;
    }

protected:
    static constexpr int kNever = std::numeric_limits<int>::max();

    // Play a move, call what(depth that is left), take the move back. False for a move that makes a draw by repetition
    // here, or would repeat where that is forbidden: it is not played.
    template <class What>
    bool with(int move, int depth, int ply, const What& what) {
        if constexpr (MayRepeat<P>)
            if (position_.may_repeat(move) && recurs(position_.repetition_key_after(move), ply)) return false;
        bool is_free = false;
        if constexpr (HasFreeMoves<P>) is_free = position_.is_free(move);
        if constexpr (HasContinuationHistory<P>) piece_tos_[static_cast<std::size_t>(ply)] = position_.piece_to(move);
        typename P::Undo undo;
        prefetch_after(move);
        position_.play(move, undo);
        moves_[static_cast<std::size_t>(ply)] = move;
        if constexpr (MayRepeat<P>) keys_[static_cast<std::size_t>(ply + 1)] = position_.repetition_key();
        what(is_free ? depth : depth - 1);
        position_.undo(move, undo);
        return true;
    }

    // Have what the table knows of the position after a move come near while the move is played.
    void prefetch_after(int move) const {
        if constexpr (GuessesKeys<P>) run_.table.prefetch(position_.likely_key_after(move));
    }

    // Whether the game or this line was at that position; then what is found here holds on this path alone.
    bool recurs(std::uint64_t key, int ply) {
        if constexpr (MayRepeat<P>) {
            int first = 0;
            if constexpr (KnowsReversible<P>) first = std::max(0, ply - position_.reversible());
            for (int i = ply; i >= first; --i)
                if (keys_[static_cast<std::size_t>(i)] == key) {
                    repetition_ply_ = std::min(repetition_ply_, i);
                    return true;
                }
            if constexpr (KnowsReversible<P>)
                if (position_.reversible() < ply) return false;
            if (run_.facts.times(key) >= (P::kRepetitionForbidden ? 1u : 2u)) {
                repetition_ply_ = -1;
                return true;
            }
        }
        return false;
    }

    // One more node; whether the run is over. The first step always comes to its end, so that there is a move to
    // report.
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
        next_poll_ = nodes_ < kTouches * run_.table.pages() ? 1 : kPollEvery;
        if (const std::uint64_t most = run_.most_nodes()) {
            const std::uint64_t left = most - std::min(most, run_.nodes());
            next_poll_ = std::clamp<std::uint64_t>(left, 1, kPollEvery);
        }
    }

    void extend(int move, std::size_t here) {
        pv_[here].assign(1, move);
        pv_[here].insert(pv_[here].end(), pv_[here + 1].begin(), pv_[here + 1].end());
    }

    Run& run_;
    P position_;
    std::array<std::vector<int>, kMaxPly + 1> pv_;   // best play from each ply of the path on
    std::array<int, kMaxPly + 1> moves_{};           // on the path; -1: nothing was done
    std::array<int, kMaxPly + 1> piece_tos_{};       // of these moves (HasContinuationHistory)
    std::array<std::uint64_t, kMaxPly + 1> keys_{};  // repetition keys
    int repetition_ply_ = kNever;  // the first ply of the path whose position was repeated below the present node
    bool is_aborted_ = false, is_shallow_ = true;
    std::uint64_t nodes_ = 0;

private:
    static constexpr std::uint64_t kPollEvery = 32;
    // While a large table is new, each node may wait for the system to clear a page of it: so many nodes for each page are
    // polled one by one.
    static constexpr std::uint64_t kTouches = 4;

    std::uint64_t uncounted_ = 0, next_poll_ = kPollEvery;
};

}  // namespace tengen::alphabeta
