// Wins by continuous fours (VCF): every move threatens to win at once, so the enemy has few replies or one.
#pragma once

#include <vector>

#include "core/gomoku/four_board.hpp"

namespace tengen::gomoku {

// Depth-first search of continuous fours for the side to move. Remembers positions, so keep one a thread.
template <int N>
class FourSearch {
public:
    static constexpr int kMaxDepth = 40;
    // The first move of a win by fours alone (or the five itself), or -1: none within so many positions.
    int winning_move(const TacticalState<N>& state, int positions);
    // How many positions the last search might still have looked at; -1: it wanted more.
    int left() const { return left_; }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::int32_t move = -1;
    };
    int solve(FourBoard<N>& board, int depth);
    bool wins_after(FourBoard<N>& board, int four, int depth);
    bool answers_lose(FourBoard<N>& board, int depth);

    std::vector<Entry> table_;
    int left_ = 0;
};

extern template class FourSearch<15>;
extern template class FourSearch<25>;

}  // namespace tengen::gomoku
