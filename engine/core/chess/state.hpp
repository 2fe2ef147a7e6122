// One chess position: the game's side of core/concepts.hpp. Moves are from | to << 6 | promotion << 12, castling is the
// king taking its own rook. Terminal: no legal move, a dead position, seventy-five moves; claims are the players'.
#pragma once

#include <cmath>

#include "core/chess/board.hpp"
#include "core/chess/ending_geometry.hpp"
#include "core/chess/moves.hpp"
#include "core/concepts.hpp"

namespace tengen::chess {

enum class Ending { none, checkmate, stalemate, dead, seventy_five };

// Whether no series of moves leads to mate, as far as the pieces alone tell.
inline bool is_dead(const Board& board) {
    if (board.kind(kPawn) | board.kind(kRook) | board.kind(kQueen)) return false;
    if (count(board.all()) <= 3) return true;
    const Bits bishops = board.kind(kBishop);
    return !board.kind(kKnight) && (!(bishops & kDark) || !(bishops & ~kDark));
}

class State {
public:
    static constexpr int kPassMove = -1;
    static constexpr bool kCandidatesComplete = true;
    static constexpr bool kRepetitionDraws = true;
    static constexpr int kMoveBound = chess::kMoveBound, kMaxMoves = kMostMoves, kMaxCells = kSquares;

    State() = default;
    explicit State(const Board& board) : board_(board) { ending_ = ending_of(board_); }

    const Board& board() const { return board_; }
    int width() const { return kSide; }
    int height() const { return kSide; }
    int cells() const { return kSquares; }
    int move_bound() const { return kMoveBound; }
    int to_move() const { return board_.to_move(); }
    void set_to_move(int colour) {
        board_.set_to_move(colour);
        ending_ = ending_of(board_);
    }
    // From here on a dead position and seventy-five moves end nothing, as for a referee who plays on.
    void play_on() {
        plays_on_ = true;
        ending_ = ending_of(board_);
    }
    // The same to be searched: going on while there is a move, whatever has ended it or may be claimed. What follows a move
    // ends as usual.
    State as_root() const {
        State out = *this;
        out.plays_on_ = true;
        out.ending_ = out.ending_of(board_);
        out.plays_on_ = false;
        return out;
    }
    Ending ending() const { return ending_; }
    bool is_terminal() const { return ending_ != Ending::none; }
    bool is_legal(int move) const { return !is_terminal() && chess::is_legal(board_, move); }
    int candidate_moves(int* out) const { return is_terminal() ? 0 : legal_moves(board_, out); }
    void play(int move) {
        board_.play(move);
        ending_ = ending_of(board_);
    }
    float margin() const {
        if (ending_ != Ending::checkmate) return 0;
        return to_move() == kWhite ? -1 : 1;
    }

    bool may_repeat(int move) const {
        return board_.halfmove() > 2 && kind_of(board_.at(from_of(move))) != kPawn && board_.at(to_of(move)) == kNone;
    }
    std::uint64_t state_key() const { return board_.key(); }
    std::uint64_t repetition_key() const { return board_.key(); }
    std::uint64_t repetition_key_after(int move) const {
        Board next = board_;
        next.play(move);
        return next.key();
    }
    int to_dense(int move) const { return move; }
    int from_dense(int move) const { return move; }

private:
    Ending ending_of(const Board& board) const {
        if (!count_legal_moves(board)) return board.checkers() ? Ending::checkmate : Ending::stalemate;
        if (plays_on_) return Ending::none;
        if (is_dead(board)) return Ending::dead;
        return board.halfmove() >= 150 ? Ending::seventy_five : Ending::none;
    }

    Board board_;
    Ending ending_ = Ending::none;
    bool plays_on_ = false;
};

static_assert(GameState<State>);

}  // namespace tengen::chess
