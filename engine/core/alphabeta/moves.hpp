// The moves of a node in the order in which they are tried.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "core/alphabeta/learned.hpp"
#include "core/alphabeta/position.hpp"

namespace tengen::alphabeta {

template <Position P>
bool is_tactical(const P& position, int move) {
    if constexpr (HasTactics<P>) return position.is_tactical(move);
    return false;
}

// Sorted as far as it is asked: most nodes need a move or two.
template <Position P>
class Moves {
public:
    // All that count; `first` leads if it is one of them.
    void all_of(const P& position, const Learned<P>& learned, int first, const Scene& scene, int depth) {
        size_ = position.moves(moves_.data());
        rate(position, depth);
        for (int i = 0; i < size_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const int move = moves_[at];
            if (move == first)
                worth_[at] = kFirst;
            else if (is_tactical(position, move))
                worth_[at] += kTactical + learned.tactical_history(position, move);
            else
                worth_[at] += learned.worth(position, move, scene);
        }
    }
    // All, by what the position says of them alone.
    void unlearned_of(const P& position) {
        size_ = position.moves(moves_.data());
        rate(position, 1);
    }
    // Those that are looked at beyond the depth.
    void tactical_of(const P& position, const Learned<P>& learned, int first)
        requires HasTactics<P>
    {
        size_ = position.tactical_moves(moves_.data());
        rate(position, 0);
        for (int i = 0; i < size_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (moves_[at] == first)
                worth_[at] = kFirst;
            else if (is_tactical(position, moves_[at]))
                worth_[at] += kTactical + learned.tactical_history(position, moves_[at]);
        }
    }

    int size() const { return size_; }
    // The i-th best, which is asked for in turn.
    int at(int i) {
        int best = i;
        for (int j = i + 1; j < size_; ++j)
            if (worth(j) > worth(best)) best = j;
        std::swap(worth(i), worth(best));
        std::swap(moves_[static_cast<std::size_t>(i)], moves_[static_cast<std::size_t>(best)]);
        return moves_[static_cast<std::size_t>(i)];
    }
    // The same; tactical moves that lose by exchanges come after all others.
    int at(int i, const P& position)
        requires Prunes<P>
    {
        while (true) {
            const int move = at(i);
            if (worth(i) < kTactical / 2 || worth(i) == kFirst || position.gains(move, 0)) return move;
            worth(i) -= 2 * kTactical;
        }
    }
    // Whether the i-th, which `at` told, is one of those.
    bool is_losing(int i) const { return worth_[static_cast<std::size_t>(i)] < -kTactical / 2; }

private:
    static constexpr int kFirst = 1 << 30, kTactical = 1 << 20;

    int& worth(int i) { return worth_[static_cast<std::size_t>(i)]; }
    void rate(const P& position, int depth) {
        const auto n = static_cast<std::size_t>(size_);
        if constexpr (OrdersMoves<P>)
            position.order(std::span<const int>(moves_.data(), n), depth, worth_.data());
        else
            std::fill_n(worth_.begin(), n, 0);
    }

    int size_ = 0;
    std::array<int, P::kMaxMoves> moves_, worth_;
};

}  // namespace tengen::alphabeta
