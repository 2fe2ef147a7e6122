// Forced play: what stops a five, what stops an open four, and wins by continuous fours (VCF).
#pragma once

#include <vector>

#include "core/gomoku/patterns.hpp"

namespace tengen::gomoku {

// A few cells without repeats.
template <int N>
class CellList {
public:
    void add(int cell) {
        if (seen_.has(cell)) return;
        seen_.add(cell);
        cells_[static_cast<std::size_t>(size_++)] = cell;
    }
    int size() const { return size_; }
    int operator[](int i) const { return cells_[static_cast<std::size_t>(i)]; }

private:
    int size_ = 0;
    CellSet<Lanes<N>::kCellBound> seen_;
    std::array<int, N * N> cells_;
};

// Legal moves of `colour` after which the enemy, who could win at once, cannot. None: the game is lost.
template <int N>
void add_five_blocks(const TacticalState<N>& state, int colour, CellList<N>& out);

// Legal moves of `colour` that take the open four off `cell`, where the enemy's threat is Threat::kOpenFour.
template <int N>
void add_open_four_blocks(const TacticalState<N>& state, int colour, int cell, CellList<N>& out);

// Legal moves of `colour` that make a four, most promising first.
template <int N>
void add_fours(const TacticalState<N>& state, int colour, CellList<N>& out);

// Depth-first search of continuous fours for the side to move. Remembers positions, so keep one a thread.
template <int N>
class FourSearch {
public:
    static constexpr int kMaxDepth = 40;
    // The first move of a win by fours alone (or the five itself), or -1: none within so many positions.
    int winning_move(const TacticalState<N>& state, int positions);

private:
    struct Entry {
        std::uint64_t key = 0;
        std::int32_t move = -1;
    };
    int solve(const TacticalState<N>& state, int depth);
    bool wins_after(const TacticalState<N>& state, int four, int depth);

    std::vector<Entry> table_;
    int left_ = 0;
};

extern template class FourSearch<15>;
extern template class FourSearch<25>;

}  // namespace tengen::gomoku
