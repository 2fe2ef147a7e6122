// Wins by continuous fours (VCF) on a LineBoard, with a table of their own, and which replies could stop one.
//
// FourSearch does the same for tree searches, on a board made for it; this one goes along with a board that is searched
// anyway, and looks at few positions at a time.
#pragma once

#include <utility>
#include <vector>

#include "core/gomoku/line_board.hpp"
#include "core/gomoku/tactics.hpp"

namespace tengen::gomoku {

template <int N>
class Vcf {
public:
    using Board = LineBoard<N>;
    using Cells = typename Board::Cells;

    // most_fours: fours of a win at most.
    explicit Vcf(int most_fours = 48) : most_fours_(most_fours) {}
    // In how many plies the side to move wins by fours alone, 1 for a five; 0: not found among so many positions. The
    // enemy may have a five now: then it comes first.
    int solve(Board& board, int positions);
    // The move of the win that `solve` found last.
    int move() const { return move_; }
    // Every cell on which a stone of the enemy, put there before it begins, could stop the win that `solve` finds of the
    // side to move; beside moves that make a four. False: it depends on more than these.
    bool refutations(Board& board, Cells& out);
    // Positions looked at since this was asked last.
    std::uint64_t take_nodes() { return std::exchange(nodes_, 0); }

private:
    static constexpr int kMostFours = 96;        // of a position
    static constexpr int kEverywhere = 1 << 30;  // of a search that found nothing, and nothing was left out
    enum class Outcome : std::uint8_t { lost, won, unknown };
    struct Entry {
        std::uint64_t key = 0;
        std::int32_t tried = 0;  // positions among which nothing was found
        std::int16_t move = -1, plies = 0;
    };
    struct Found {
        Outcome outcome = Outcome::lost;
        int move = -1, plies = 0;
    };

    Found look(const Board& board, int& forced) const;
    Found search(Board& board, int depth);
    Found after(Board& board, int four, int depth);
    int fours(const Board& board, int* out) const;
    bool collect(Board& board, Cells& out, int depth);
    bool collect_answers(Board& board, Cells& out, int depth);

    std::vector<Entry> table_;
    int most_fours_, left_ = 0, move_ = -1;
    std::uint64_t nodes_ = 0;
};

extern template class Vcf<15>;
extern template class Vcf<25>;

}  // namespace tengen::gomoku
