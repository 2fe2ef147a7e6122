#include "core/gomoku/state.hpp"

#include <cstdlib>

namespace tengen::gomoku {
namespace {

// The window around a place, with a stone at another place if it is on that line and in reach.
unsigned with_stone(unsigned window, const Place& at, const Place& other) {
    const int offset = other.bit - at.bit;
    return at.lane == other.lane && std::abs(offset) <= kReach ? window | 1u << (kReach + offset) : window;
}

}  // namespace

template <int N>
void State<N>::put(int cell, int colour) {
    const auto mine = lanes_.put_through(cell, colour);
    const auto theirs = lanes_.through(cell, colour ^ 1);
    key_ ^= zobrist(L::row(cell), L::column(cell), colour);
    ++stones_;
    const bool wins = with_line_rule(line_rule(colour), [&](auto rule) { return has_five<rule()>(mine, theirs); });
    if (wins) winner_ = static_cast<std::int8_t>(colour);
}

template <int N>
void State<N>::take(int cell, int colour, int winner) {
    lanes_.put(cell, colour);
    key_ ^= zobrist(L::row(cell), L::column(cell), colour);
    --stones_;
    winner_ = static_cast<std::int8_t>(winner);
}

template <int N>
bool State<N>::is_win(int cell, int colour) const {
    for (int direction = 0; direction < kDirections; ++direction)
        if (shape(cell, colour, direction) == Shape::kFive) return true;
    return false;
}

template <int N>
bool State<N>::is_win_despite(int cell, int colour, int enemy) const {
    for (int direction = 0; direction < kDirections; ++direction) {
        const Place at = L::place(width_, height_, cell, direction);
        const Place other = L::place(width_, height_, enemy, direction);
        const unsigned theirs = with_stone(lanes_.window(at, colour ^ 1), at, other);
        if (shape_table(line_rule(colour))(lanes_.window(at, colour), theirs) == Shape::kFive) return true;
    }
    return false;
}

template <int N>
bool State<N>::row_wins(int cell, int colour, int direction) const {
    const Place place = L::place(width_, height_, cell, direction);
    const int step = L::kStep[static_cast<std::size_t>(direction)];
    int first = place.bit, last = place.bit;
    const auto has = [&](int bit, int side) {
        return bit >= place.low && bit < place.high && lanes_.has(cell + (bit - place.bit) * step, side);
    };
    while (has(first - 1, colour)) --first;
    while (has(last + 1, colour)) ++last;
    const int length = last - first + 1;
    const bool stopped = has(first - 1, colour ^ 1) && has(last + 1, colour ^ 1);
    switch (line_rule(colour)) {
        case LineRule::kExactFive:
        case LineRule::kRenjuBlack: return length == 5;
        case LineRule::kCaro: return length > 5 || (length == 5 && !stopped);
        case LineRule::kExactCaro: return length == 5 && !stopped;
        default: return length >= 5;
    }
}

template <int N>
bool State<N>::has_won(int colour) const {
    for (int dense = 0; dense < cells(); ++dense) {
        const int cell = from_dense(dense);
        if (!lanes_.has(cell, colour)) continue;
        for (int direction = 0; direction < kDirections; ++direction)
            if (row_wins(cell, colour, direction)) return true;
    }
    return false;
}

template <int N>
bool State<N>::has_legal_move() const {
    return any_empty(*this, [this](int cell) { return is_allowed(cell, to_move_); });
}

template <int N>
int State<N>::candidate_moves(int* out) const {
    if (winner_ >= 0) return 0;
    int count = 0;
    any_empty(*this, [&](int cell) {
        if (is_allowed(cell, to_move_)) out[count++] = cell;
        return false;
    });
    return count;
}

template <int N>
Shape State<N>::black_shape(int cell, int direction, const Thought* placed) const {
    const Place at = L::place(width_, height_, cell, direction);
    unsigned mine = lanes_.window(at, 0);
    for (; placed; placed = placed->before)
        mine = with_stone(mine, at, L::place(width_, height_, placed->cell, direction));
    return shape_table(LineRule::kRenjuBlack)(mine, lanes_.window(at, 1));
}

// Renju International Federation, rule 9. A five beats every foul. Two threes are a foul only when both can become
// a straight four by a move that is itself allowed and makes no five elsewhere at the same time (9.1 "three").
template <int N>
std::optional<Foul> State<N>::foul_after(int cell, const Thought* placed) const {
    int fours = 0, threes = 0;
    bool overline = false;
    std::array<bool, kDirections> is_three{};
    for (int direction = 0; direction < kDirections; ++direction) {
        const Shape made = black_shape(cell, direction, placed);
        if (made == Shape::kFive) return std::nullopt;
        overline |= made == Shape::kOverline;
        fours += is_four(made) + (made == Shape::kDoubleFour);
        threes += is_three[static_cast<std::size_t>(direction)] = made == Shape::kOpenThree;
    }
    if (overline) return Foul::kOverline;
    if (fours >= 2) return Foul::kDoubleFour;
    if (threes < 2) return Foul::kNone;
    int real = 0;
    for (int direction = 0; direction < kDirections; ++direction)
        real += is_three[static_cast<std::size_t>(direction)] && is_real_three(direction, {cell, placed});
    return real >= 2 ? Foul::kDoubleThree : Foul::kNone;
}

// Whether the three of the last stone is real: along the line, both ways, over black stones to the nearest cells that
// may extend it.
template <int N>
bool State<N>::is_real_three(int direction, const Thought& placed) const {
    const auto is_placed = [&](int at) {
        for (const Thought* one = &placed; one; one = one->before)
            if (one->cell == at) return true;
        return false;
    };
    const Place place = L::place(width_, height_, placed.cell, direction);
    for (int way : {-1, 1}) {
        for (int k = way; k >= place.low - place.bit && k < place.high - place.bit; k += way) {
            const int at = placed.cell + k * L::kStep[static_cast<std::size_t>(direction)];
            if (lanes_.has(at, 0) || is_placed(at)) continue;
            // A straight four is unbroken, so only the first cell that is not black can complete it.
            if (is_empty(at) && black_shape(at, direction, &placed) == Shape::kOpenFour &&
                foul_after(at, &placed) == Foul::kNone)
                return true;
            break;
        }
    }
    return false;
}

template class State<15>;
template class State<25>;

}  // namespace tengen::gomoku
