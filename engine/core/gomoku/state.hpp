// One gomoku position with its rule: the game's side of core/concepts.hpp. Colour 0 is black.
//
// Native moves are cells, row * stride + column. There is no pass. A set-up may hold any stones; the game is over as
// soon as some line holds a winning five.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "core/concepts.hpp"
#include "core/gomoku/lanes.hpp"

namespace tengen::gomoku {

enum class Foul : std::uint8_t { kNone, kOverline, kDoubleFour, kDoubleThree };
inline constexpr std::array<const char*, 4> kFoulNames = {"", "overline", "double four", "double three"};

constexpr std::uint64_t zobrist(int row, int column, int colour) {
    std::uint64_t seed = 0x6f3a9d2b51c8e704ULL + static_cast<std::uint64_t>(row << 16 | column << 8 | colour);
    return splitmix64(seed);
}

template <int N>
class State {
public:
    using L = Lanes<N>;
    static constexpr int kMoveBound = L::kCellBound, kMaxMoves = N * N, kMaxCells = N * N;
    static constexpr int kPassMove = -1;
    static constexpr bool kCandidatesComplete = true;

    State(int width, int height, Rule rule)
        : width_(static_cast<std::uint8_t>(width)), height_(static_cast<std::uint8_t>(height)), rule_(rule) {}
    // The same position on a board of another capacity, which must be large enough.
    template <int M>
    explicit State(const State<M>& other);

    int width() const { return width_; }
    int height() const { return height_; }
    int cells() const { return width_ * height_; }
    int move_bound() const { return cells(); }
    Rule rule() const { return rule_; }
    LineRule line_rule(int colour) const { return gomoku::line_rule(rule_, colour); }
    const L& lanes() const { return lanes_; }
    L& lanes() { return lanes_; }  // for a playout, which keeps no keys and calls `finish` at its end
    int to_move() const { return to_move_; }
    void set_to_move(int player) { to_move_ = static_cast<std::uint8_t>(player); }
    int stones() const { return stones_; }
    int winner() const { return winner_; }  // -1: none
    bool is_empty(int cell) const { return lanes_.is_empty(cell); }
    int stone(int cell) const { return lanes_.has(cell, 0) ? 1 : lanes_.has(cell, 1) ? 2 : 0; }
    bool is_inside(int row, int column) const { return row >= 0 && column >= 0 && row < height_ && column < width_; }

    // What a stone of `colour` on the empty cell would make in one direction.
    Shape shape(int cell, int colour, int direction) const {
        const Place place = L::place(width_, height_, cell, direction);
        return shape_table(line_rule(colour))(lanes_.window(place, colour), lanes_.window(place, colour ^ 1));
    }
    bool is_win(int cell, int colour) const;                     // of a stone of `colour` on the empty cell
    bool is_win_despite(int cell, int colour, int enemy) const;  // the same after an enemy stone on that empty cell
    bool has_won(int colour) const;  // looks at every stone; `winner` is what play and put noticed
    bool row_wins(int cell, int colour, int direction) const;  // the row in that direction through the stone
    // Of a black stone on the empty cell, whoever is to move; renju only.
    Foul foul(int cell) const {
        return rule_ == Rule::kRenju ? foul_after(cell, nullptr).value_or(Foul::kNone) : Foul::kNone;
    }
    bool is_allowed(int cell, int colour) const {  // an empty cell
        return rule_ != Rule::kRenju || colour == 1 || foul(cell) == Foul::kNone;
    }

    bool is_legal(int cell) const { return winner_ < 0 && is_empty(cell) && is_allowed(cell, to_move_); }
    bool is_terminal() const {
        return winner_ >= 0 || stones_ == cells() || (rule_ == Rule::kRenju && to_move_ == 0 && !has_legal_move());
    }
    float margin() const { return winner_ < 0 ? 0.0f : winner_ == 0 ? 1.0f : -1.0f; }
    int candidate_moves(int* out) const;  // every legal move
    void play(int cell) {
        put(cell, to_move_);
        to_move_ ^= 1;
    }
    // A stone on an empty cell, whoever is to move.
    void put(int cell, int colour);
    // Undo the last `put`, with the winner there was before it.
    void take(int cell, int colour, int winner);
    // Take over what a playout on lanes() ended with.
    void finish(int winner, int stones, int to_move) {
        winner_ = static_cast<std::int8_t>(winner);
        stones_ = static_cast<std::uint16_t>(stones);
        to_move_ = static_cast<std::uint8_t>(to_move);
    }

    bool may_repeat(int) const { return false; }
    std::uint64_t position_key() const { return key_; }
    std::uint64_t repetition_key() const { return key_; }
    std::uint64_t repetition_key_after(int cell) const {
        return key_ ^ zobrist(L::row(cell), L::column(cell), to_move_);
    }
    std::uint64_t state_key() const {
        std::uint64_t seed =
            key_ ^ (static_cast<std::uint64_t>(to_move_) | static_cast<std::uint64_t>(rule_) << 1 |
                    static_cast<std::uint64_t>(width_) << 8 | static_cast<std::uint64_t>(height_) << 16);
        return splitmix64(seed);
    }
    int to_dense(int cell) const { return L::row(cell) * width_ + L::column(cell); }
    int from_dense(int dense) const { return L::cell(dense / width_, dense % width_); }

    bool operator==(const State&) const = default;

private:
    // A black stone that is thought of as placed, after those before it.
    struct Thought {
        int cell;
        const Thought* before;
    };

    bool has_legal_move() const;
    Shape black_shape(int cell, int direction, const Thought* placed) const;
    bool is_real_three(int direction, const Thought& placed) const;
    std::optional<Foul> foul_after(int cell, const Thought* placed) const;  // nothing: it makes a five

    L lanes_;
    std::uint64_t key_ = 0;
    std::uint16_t stones_ = 0;
    std::uint8_t width_, height_, to_move_ = 0;
    std::int8_t winner_ = -1;
    Rule rule_;
};

// Calls f(cell) for every empty cell, row by row, until it returns true; whether it did.
template <int N, class F>
bool any_empty(const State<N>& state, F f) {
    for (int row = 0; row < state.height(); ++row) {
        const unsigned stones = static_cast<unsigned>(state.lanes().row_lane(0, row) | state.lanes().row_lane(1, row));
        for (unsigned empty = ((1u << state.width()) - 1) & ~stones; empty; empty &= empty - 1)
            if (f(Lanes<N>::cell(row, std::countr_zero(empty)))) return true;
    }
    return false;
}

template <int N>
template <int M>
State<N>::State(const State<M>& other) : State(other.width(), other.height(), other.rule()) {
    for (int row = 0; row < height_; ++row)
        for (int column = 0; column < width_; ++column) {
            const int stone = other.stone(Lanes<M>::cell(row, column));
            if (stone) put(L::cell(row, column), stone - 1);
        }
    winner_ = static_cast<std::int8_t>(other.winner());
    to_move_ = static_cast<std::uint8_t>(other.to_move());
}

extern template class State<15>;
extern template class State<25>;

inline constexpr int kSmallest = 5, kLargest = 25;

// Calls f(std::integral_constant<int, N>) with the smallest compiled capacity N that holds the board.
template <class F>
decltype(auto) with_capacity(int width, int height, F&& f) {
    if (width <= 15 && height <= 15) return f(std::integral_constant<int, 15>{});
    return f(std::integral_constant<int, 25>{});
}

}  // namespace tengen::gomoku
