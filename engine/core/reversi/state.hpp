// One Reversi position: the game's side of core/concepts.hpp. Moves are cells, 64 = pass.
//
// Othello rules: a move must turn a disc; a pass is a move, legal exactly when there is no other and the game goes
// on; the game ends when neither side can move. The winner's score includes the empty cells.
#pragma once

#include "core/concepts.hpp"
#include "core/reversi/wide.hpp"

namespace tengen::reversi {

constexpr std::uint64_t kWhiteToMoveKey = 0x5a17e0b9c3d24f68ULL;

// Black's discs less White's, the empty cells given to the winner.
inline int final_margin(Bits black, Bits white) {
    const int difference = count(black) - count(white), empties = kCells - count(black | white);
    return difference + (difference > 0 ? empties : difference < 0 ? -empties : 0);
}

class State {
public:
    static constexpr int kPass = kCells;
    static constexpr int kPassMove = kPass;
    static constexpr bool kCandidatesComplete = true;
    static constexpr int kMoveBound = kCells + 1;
    static constexpr int kMaxMoves = kCells;
    static constexpr int kMaxCells = kCells;

    State() : State(kBlackStart, kWhiteStart, 0) {}
    // Any discs; a cell has at most one.
    State(Bits black, Bits white, int to_move) : discs_{black, white}, to_move_(to_move) { update(); }

    int width() const { return kSide; }
    int height() const { return kSide; }
    int cells() const { return kCells; }
    int move_bound() const { return kCells + 1; }  // the cells, then the pass
    int to_move() const { return to_move_; }
    void set_to_move(int player) {
        to_move_ = player;
        update();
    }
    Bits discs(int player) const { return discs_[player]; }
    Bits own() const { return discs_[to_move_]; }
    Bits enemy() const { return discs_[to_move_ ^ 1]; }
    Bits empty() const { return ~(discs_[0] | discs_[1]); }
    Bits moves() const { return moves_; }  // of the side to move, the pass aside

    bool is_terminal() const { return is_over_; }
    bool is_legal(int move) const {
        if (move == kPass) return !moves_ && !is_over_;
        return move >= 0 && move < kCells && (moves_ >> move & 1);
    }
    void play(int move) {
        if (move != kPass) {
            const Bits turned = flips(own(), enemy(), move);
            discs_[to_move_] |= turned | 1ULL << move;
            discs_[to_move_ ^ 1] &= ~turned;
        }
        to_move_ ^= 1;
        update();
    }
    int candidate_moves(int* out) const {
        if (is_over_) return 0;
        int found = 0;
        for (Bits rest = moves_; rest; rest &= rest - 1) out[found++] = lowest(rest);
        if (!found) out[found++] = kPass;
        return found;
    }
    float margin() const { return static_cast<float>(final_margin(discs_[0], discs_[1])); }

    bool may_repeat(int) const { return false; }  // every move but the pass adds a disc
    std::uint64_t position_key() const { return key_of(discs_[0], discs_[1]); }
    std::uint64_t repetition_key() const { return position_key(); }
    std::uint64_t repetition_key_after(int move) const {
        if (move == kPass) return position_key();
        const Bits turned = flips(own(), enemy(), move);
        const Bits mine = own() | turned | 1ULL << move, theirs = enemy() & ~turned;
        return to_move_ ? key_of(theirs, mine) : key_of(mine, theirs);
    }
    std::uint64_t state_key() const { return position_key() ^ (to_move_ ? kWhiteToMoveKey : 0); }
    int to_dense(int move) const { return move; }
    int from_dense(int move) const { return move; }

private:
    static std::uint64_t key_of(Bits black, Bits white) {
        std::uint64_t key = (black * 0x9e3779b97f4a7c15ULL) ^ std::rotl(white * 0xd1342543de82ef95ULL, 32);
        key = (key ^ key >> 32) * 0xbf58476d1ce4e5b9ULL;
        return key ^ key >> 29;
    }
    void update() {
        moves_ = reversi::moves(own(), enemy());
        is_over_ = !moves_ && !reversi::moves(enemy(), own());
    }

    Bits discs_[2];
    Bits moves_ = 0;
    int to_move_;
    bool is_over_ = false;
};

static_assert(GameState<State>);

}  // namespace tengen::reversi
