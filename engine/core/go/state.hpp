// One Go position with the rules that decide what follows: the game's side of core/concepts.hpp.
//
// Native moves are the board's padded indices, 0 = pass. Repetition (superko) is judged by whoever knows the
// history: the state only answers whether a move could repeat (it removes stones) and the key it would make.
#pragma once

#include <cstdint>

#include "core/go/board.hpp"

namespace tengen::go {

enum class Ko : std::uint8_t { kSimple, kPositional, kSituational };
enum class Scoring : std::uint8_t { kArea, kTerritory };
enum class Tax : std::uint8_t { kNone, kSeki, kAll };

struct Rules {
    Ko ko = Ko::kSimple;
    Scoring scoring = Scoring::kArea;
    Tax tax = Tax::kNone;
    bool suicide = false;  // of more than one stone
    bool operator==(const Rules&) const = default;
};

constexpr std::uint64_t kWhiteToMoveKey = 0x5a17e0b9c3d24f68ULL;  // mixed in where the side to move counts

template <int N>
class State {
public:
    using BoardType = Board<N>;
    static constexpr int kPass = BoardType::kNone;
    static constexpr int kPassMove = kPass;
    static constexpr bool kCandidatesComplete = false;  // own eyes are left out
    static constexpr int kMoveBound = BoardType::kPoints;
    static constexpr int kMaxMoves = N * N + 1;
    static constexpr int kMaxCells = N * N;

    State(int width, int height, const Rules& rules, float komi) : board_(width, height), komi_(komi), rules_(rules) {}
    // The same position on a board of another capacity, which must be large enough.
    template <int M>
    explicit State(const State<M>& other);

    int width() const { return board_.width(); }
    int height() const { return board_.height(); }
    const BoardType& board() const { return board_; }
    BoardType& board() { return board_; }
    const Rules& rules() const { return rules_; }
    float komi() const { return komi_; }
    void set_komi(float komi) { komi_ = komi; }
    // The button: the first pass is worth half a point, which komi then counts.
    bool has_button() const { return has_button_; }
    void set_button(bool is_there) { has_button_ = is_there; }
    int to_move() const { return to_move_; }
    void set_to_move(int player) { to_move_ = static_cast<std::uint8_t>(player); }
    int stone_to_move() const { return to_move_ + 1; }
    int passes() const { return passes_; }
    void set_passes(int passes) { passes_ = static_cast<std::uint8_t>(passes); }
    int move_number() const { return move_number_; }
    void set_move_number(int number) { move_number_ = number; }
    int last_move() const { return last_; }    // native; kPass also when unknown
    int last_move2() const { return last2_; }  // the one before
    void set_last_moves(int last, int last2) {
        last_ = static_cast<std::int16_t>(last);
        last2_ = static_cast<std::int16_t>(last2);
    }
    int cells() const { return board_.cells(); }
    int move_bound() const { return cells() + 1; }  // the cells, then the pass

    bool is_terminal() const { return passes_ >= 2; }
    bool is_legal(int move) const {
        if (move == kPass) return true;
        const int stone = stone_to_move();
        if (board_.stone(move) != kEmpty || board_.is_ko(move, stone)) return false;
        return !board_.is_suicide(move, stone) || (rules_.suicide && board_.is_multi_stone_suicide(move, stone));
    }
    void play(int move) {
        if (move == kPass) {
            board_.clear_ko();
            if (has_button_) {
                komi_ += to_move_ == 0 ? -0.5f : 0.5f;
                has_button_ = false;
            }
            if (passes_ < 255) ++passes_;
        } else {
            board_.play(move, stone_to_move());
            passes_ = 0;
        }
        last2_ = last_;
        last_ = static_cast<std::int16_t>(move);
        to_move_ ^= 1;
        ++move_number_;
    }
    // Legal moves that fill no own eye and commit no suicide; the pass once the game is late or when it must be.
    int candidate_moves(int* out) const;

    // Area margin of the board as it stands (all stones alive), + = black ahead, komi taken off.
    float margin() const;

    // Stones only ever accumulate until the first are taken off; from then on even a plain move can close a cycle.
    bool may_repeat(int move) const {
        if (move == kPass) return false;
        return board_.captured(kBlack) + board_.captured(kWhite) > 0 || board_.is_capture(move, stone_to_move()) ||
               board_.is_suicide(move, stone_to_move());
    }
    bool forbids_repetition() const { return rules_.ko != Ko::kSimple; }
    std::uint64_t repetition_key() const { return with_side(board_.key(), to_move_); }
    std::uint64_t repetition_key_after(int move) const {
        const std::uint64_t key = move == kPass ? board_.key() : board_.key_after(move, stone_to_move());
        return with_side(key, to_move_ ^ 1);
    }
    std::uint64_t state_key() const;
    // The pattern of the last two moves: the 5x5 points around the last one with the stones in atari there, and a ko
    // (concepts.hpp).
    std::uint64_t locality() const;

    int to_dense(int move) const { return move == kPass ? cells() : board_.cell(move); }
    int from_dense(int move) const { return move == cells() ? kPass : board_.point_of_cell(move); }

private:
    std::uint64_t with_side(std::uint64_t key, int player) const {
        return rules_.ko == Ko::kSituational && player == 1 ? key ^ kWhiteToMoveKey : key;
    }

    BoardType board_;
    float komi_;
    int move_number_ = 0;
    std::int16_t last_ = kPass, last2_ = kPass;
    Rules rules_;
    std::uint8_t to_move_ = 0, passes_ = 0;
    bool has_button_ = false;
};

template <int N>
template <int M>
State<N>::State(const State<M>& other)
    : board_(other.board().width(), other.board().height()), komi_(other.komi()), rules_(other.rules()) {
    const auto& from = other.board();
    const auto map = [&](int p) { return p == 0 ? 0 : BoardType::point(Board<M>::row(p), Board<M>::column(p)); };
    for (int row = 0; row < from.height(); ++row)
        for (int column = 0; column < from.width(); ++column) {
            const int stone = from.stone(Board<M>::point(row, column));
            if (stone != kEmpty) board_.put(BoardType::point(row, column), stone);
        }
    board_.set_ko(map(from.ko()), from.ko_stone());
    for (int stone : {kBlack, kWhite}) board_.set_captured(stone, from.captured(stone));
    to_move_ = static_cast<std::uint8_t>(other.to_move());
    passes_ = static_cast<std::uint8_t>(other.passes());
    has_button_ = other.has_button();
    move_number_ = other.move_number();
    set_last_moves(map(other.last_move()), map(other.last_move2()));
}

extern template class State<9>;
extern template class State<13>;
extern template class State<19>;
extern template class State<25>;

}  // namespace tengen::go
