// One chess position: the game's side of core/concepts.hpp. Moves are from | to << 6 | promotion << 12, castling is the
// king taking its own rook. Terminal: no legal move, a dead position, seventy-five moves; claims are the players'.
#pragma once

#include <cmath>

#include "core/chess/board.hpp"
#include "core/chess/moves.hpp"
#include "core/concepts.hpp"

namespace tengen::chess {

enum class Ending { none, checkmate, stalemate, dead, seventy_five };

// Whether no series of moves leads to mate, as far as the pieces alone tell.
inline bool is_dead(const Board& board) {
    if (board.kind(kPawn) | board.kind(kRook) | board.kind(kQueen)) return false;
    if (count(board.all()) <= 3) return true;
    constexpr Bits kDark = 0xaa55aa55aa55aa55ULL;
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
    static Ending ending_of(const Board& board) {
        if (!count_legal_moves(board)) return board.checkers() ? Ending::checkmate : Ending::stalemate;
        if (is_dead(board)) return Ending::dead;
        return board.halfmove() >= 150 ? Ending::seventy_five : Ending::none;
    }

    Board board_;
    Ending ending_ = Ending::none;
};

static_assert(GameState<State>);

}  // namespace tengen::chess
