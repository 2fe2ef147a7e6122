// Wins by continuous threats (VCT): moves that make a four or threaten a win by fours, on a LineBoard.
//
// A threat is checked, not guessed: if the enemy passed, `Vcf` would have to find a win. Then only the cells that could
// stop that win, and the enemy's own fours, are tried as replies. `replay` tries a win once more against every legal
// reply, also to cells that should not matter.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/gomoku/vcf.hpp"

namespace tengen::gomoku {

template <int N>
class Vct {
public:
    using Board = LineBoard<N>;
    using Cells = typename Board::Cells;
    // Takes the number of positions looked at since it was asked last; true: the search has to end.
    using IsOver = std::function<bool(std::uint64_t)>;

    // In how many plies the side to move wins by threats, at most; 0: not found among so many positions. The enemy has no
    // five now.
    int solve(Board& board, Vcf<N>& fours, int positions, const IsOver& is_over);
    // Whether the win that `solve` found last holds against every legal reply, as far as so many positions show it.
    bool replay(Board& board, Vcf<N>& fours, int positions, const IsOver& is_over);
    // The move of the win that `solve` found last.
    int move() const { return move_; }

private:
    static constexpr int kMostThreats = 14;  // in a row, beside answers to fours of the enemy
    static constexpr int kMaxPly = 60, kMostMoves = 64, kMostReplies = 40;
    static constexpr int kFours = 48, kFoursOfReply = 400;  // positions of a search of fours: for a threat, in a replay
    static constexpr std::uint64_t kTold = 64;
    struct Entry {
        std::uint64_t key = 0;
        std::int32_t tried = 0;  // positions among which no win was found
        std::int16_t move = -1, plies = 0;
        std::int8_t failed = -1;  // threats in a row that do not win
        bool is_whole = false;    // no number of threats does
    };
    struct Found {
        int move = -1, plies = 0;  // plies 0: no win
        explicit operator bool() const { return plies != 0; }
    };

    void begin(Vcf<N>& fours, int positions, const IsOver& is_over);
    Found attack(Board& board, int threats, int ply);
    Found after(Board& board, int move, int threats, int ply);
    int defend(Board& board, int threats, int ply);
    int threats(const Board& board, int* out) const;
    int replies(Board& board, const Cells& zone, int* out) const;
    int answers_to_five(const Board& board, int* out) const;
    bool is_win(Board& board, int ply);
    bool is_loss(Board& board, int ply);
    bool is_out();
    Entry& entry(const Board& board) { return table_[board.state_key() & (table_.size() - 1)]; }

    std::vector<Entry> table_;
    Vcf<N>* fours_ = nullptr;
    const IsOver* is_over_ = nullptr;
    int left_ = 0, move_ = -1;
    std::uint64_t untold_ = 0;
    bool is_stopped_ = false, is_cut_ = false;  // is_cut_: more threats in a row might win
};

extern template class Vct<15>;
extern template class Vct<25>;

}  // namespace tengen::gomoku
