#include "core/gomoku/four_board.hpp"

namespace tengen::gomoku {
namespace {

// An open three takes two stones more within four cells, a five takes four.
constexpr unsigned kAround = 0x3fe & ~kCentre;
constexpr int kOpenThreeStones = 2, kFiveStones = 4;

// The bytes of the shapes from an open three upwards, the others 0.
constexpr std::uint32_t worth_keeping(std::uint32_t shapes) {
    constexpr std::uint32_t bytes = 0x01010101;
    const std::uint32_t kept = (shapes + bytes * (0x80 - static_cast<std::uint32_t>(Shape::kOpenThree))) >> 7 & bytes;
    return shapes & kept * 0xff;
}
static_assert(worth_keeping(0x0a050400) == 0x0a050000);

// How many stones of the first side, edges not counted, stand around the centre of its window.
int stones_around(unsigned mine, unsigned theirs) { return std::popcount(mine & ~theirs & kAround); }

}  // namespace

template <int N>
FourBoard<N>::FourBoard(const TacticalState<N>& from, int attacker)
    : Base(from), attacker_(attacker), defence_(from.cells_with(Threat::kFive, attacker ^ 1)) {
    for (std::size_t cell = 0; cell < shapes_.size(); ++cell) {
        shapes_[cell] = worth_keeping(from.shapes(static_cast<int>(cell), attacker));
        threats_[cell] = static_cast<std::uint8_t>(from.threat(static_cast<int>(cell), attacker));
    }
    for (std::size_t threat = 0; threat < attack_.size(); ++threat)
        attack_[threat] = from.cells_with(static_cast<Threat>(threat), attacker);
}

template <int N>
void FourBoard<N>::play(int cell, Step& step) {
    const int colour = this->to_move();
    step.cell = cell;
    step.winner = this->winner();
    step.defence = defence_;
    step.changes[0] = {cell, shapes_[static_cast<std::size_t>(cell)]};
    step.size = 1;
    attack_[threats_[static_cast<std::size_t>(cell)]].remove(cell);
    shapes_[static_cast<std::size_t>(cell)] = 0;
    threats_[static_cast<std::size_t>(cell)] = 0;
    defence_.remove(cell);
    this->put(cell, colour);
    for (int direction = 0; direction < kDirections; ++direction) look_along(cell, colour, direction, step);
    this->set_to_move(colour ^ 1);
}

template <int N>
void FourBoard<N>::undo(const Step& step) {
    const int colour = this->to_move() ^ 1;
    this->take(step.cell, colour, step.winner);
    this->set_to_move(colour);
    for (int i = 0; i < step.size; ++i)
        set_shapes(step.changes[static_cast<std::size_t>(i)].cell, step.changes[static_cast<std::size_t>(i)].shapes);
    defence_ = step.defence;
}

// Read the empty cells around a new stone anew, in one direction.
template <int N>
void FourBoard<N>::look_along(int cell, int colour, int direction, Step& step) {
    const Place place = L::place(this->width(), this->height(), cell, direction);
    const std::uint64_t attack = this->lanes().windows(place, attacker_);
    const std::uint64_t defence = this->lanes().windows(place, attacker_ ^ 1);
    ShapeTable& table = shape_table(this->line_rule(attacker_));
    for (unsigned empty = static_cast<unsigned>(~(attack | defence) >> place.bit) & kWindow; empty; empty &= empty - 1) {
        const int offset = std::countr_zero(empty) - kReach, bit = place.bit + offset;
        const int at = cell + offset * L::kStep[static_cast<std::size_t>(direction)];
        const unsigned mine = static_cast<unsigned>(attack >> bit) & kWindow;
        const unsigned theirs = static_cast<unsigned>(defence >> bit) & kWindow;
        if (stones_around(mine, theirs) >= kOpenThreeStones) {
            const std::uint32_t before = shapes_[static_cast<std::size_t>(at)];
            const int shift = 8 * direction;
            const std::uint32_t now = (before & ~(std::uint32_t{0xff} << shift)) |
                                      worth_keeping(static_cast<std::uint32_t>(table(mine, theirs))) << shift;
            if (now != before) {
                step.changes[static_cast<std::size_t>(step.size++)] = {at, before};
                set_shapes(at, now);
            }
        }
        const bool may_win = colour != attacker_ && stones_around(theirs, mine) >= kFiveStones;
        if (may_win || defence_.has(at)) {
            if (defender_wins(at))
                defence_.add(at);
            else
                defence_.remove(at);
        }
    }
}

template <int N>
void FourBoard<N>::set_shapes(int cell, std::uint32_t shapes) {
    const auto at = static_cast<std::size_t>(cell);
    shapes_[at] = shapes;
    const auto threat = static_cast<std::size_t>(threat_of(this->rule(), attacker_, shapes));
    attack_[threats_[at]].remove(cell);
    attack_[threat].add(cell);
    threats_[at] = static_cast<std::uint8_t>(threat);
}

template class FourBoard<15>;
template class FourBoard<25>;

}  // namespace tengen::gomoku
