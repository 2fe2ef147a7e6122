// Forced play: what makes a four, what stops a five, what stops an open four. A `Board` is a TacticalState, a
// LineBoard, or a FourBoard, whose attacker makes the fours and fives and which knows no open fours.
#pragma once

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
template <template <int> class Board, int N>
void add_five_blocks(const Board<N>& board, int colour, CellList<N>& out);

// Legal moves of `colour` that take the open four off `cell`, where the enemy's threat is Threat::kOpenFour.
template <template <int> class Board, int N>
void add_open_four_blocks(const Board<N>& board, int colour, int cell, CellList<N>& out);

// Whether a stone of `colour` on the empty cell makes a four on some line.
template <template <int> class Board, int N>
bool makes_four(const Board<N>& board, int cell, int colour);

// Legal moves of `colour` that make a four, most promising first.
template <template <int> class Board, int N>
void add_fours(const Board<N>& board, int colour, CellList<N>& out);

}  // namespace tengen::gomoku
