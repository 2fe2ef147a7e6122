#include "core/gomoku/four_board.hpp"

namespace tengen::gomoku {
namespace {

// An open three takes two stones more within four cells, a five takes four.
constexpr int kOpenThreeStones = 2, kFiveStones = 4;

// The bytes of the shapes from an open three upwards, the others 0.
constexpr std::uint32_t worth_keeping(std::uint32_t shapes) {
    constexpr std::uint32_t bytes = 0x01010101;
    const std::uint32_t kept = (shapes + bytes * (0x80 - static_cast<std::uint32_t>(Shape::kOpenThree))) >> 7 & bytes;
    return shapes & kept * 0xff;
}
static_assert(worth_keeping(0x0a050400) == 0x0a050000);

// The cells of a line with at least `kStones` of these stones among the four to either side.
template <int kStones>
std::uint64_t surrounded(std::uint64_t stones) {
    if (std::popcount(stones) < kStones) return 0;
    std::array<std::uint64_t, kStones> by{};  // by[i]: at least i + 1
    for (int k = 1; k <= 4; ++k)
        for (const std::uint64_t stone : {stones << k, stones >> k}) {
            for (std::size_t i = kStones - 1; i > 0; --i) by[i] |= by[i - 1] & stone;
            by[0] |= stone;
        }
    return by[kStones - 1];
}

}  // namespace

// A line through a new stone. In its words, as in Lanes::windows, a window's centre is kReach above the lane's bit.
template <int N>
struct FourBoard<N>::Line {
    int cell, direction;
    Place place;
    std::uint64_t attack, defence;  // cells beyond the edge are set in both

    Line(const FourBoard& board, int cell, int direction)
        : cell(cell),
          direction(direction),
          place(L::place(board.width(), board.height(), cell, direction)),
          attack(board.lanes().windows(place, board.attacker_)),
          defence(board.lanes().windows(place, board.attacker_ ^ 1)) {}

    std::uint64_t attackers() const { return attack & ~defence; }
    std::uint64_t defenders() const { return defence & ~attack; }
    // Calls f(cell, window of the attacker, of the defender) for those of `cells` that are empty and near the stone.
    template <class F>
    void for_empty(std::uint64_t cells, F f) const {
        for (cells &= std::uint64_t{kWindow} << place.bit & ~(attack | defence); cells; cells &= cells - 1) {
            const int bit = std::countr_zero(cells) - kReach;
            f(cell + (bit - place.bit) * L::kStep[static_cast<std::size_t>(direction)],
              static_cast<unsigned>(attack >> bit) & kWindow, static_cast<unsigned>(defence >> bit) & kWindow);
        }
    }
};

template <int N>
FourBoard<N>::FourBoard(const TacticalState<N>& from, int attacker)
    : Base(from), attacker_(attacker), defence_(from.cells_with(Threat::kFive, attacker ^ 1)) {
    for (int colour : {0, 1}) tables_[static_cast<std::size_t>(colour)] = &shape_table(this->line_rule(colour));
    for (std::size_t cell = 0; cell < shapes_.size(); ++cell) {
        shapes_[cell] = worth_keeping(from.shapes(static_cast<int>(cell), attacker));
        threats_[cell] = from.threat(static_cast<int>(cell), attacker);
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
    step.size = 0;
    change(cell, 0, Threat::kNothing, step);
    attack_[static_cast<std::size_t>(Threat::kNothing)].remove(cell);
    defence_.remove(cell);
    this->put(cell, colour);
    for (int direction = 0; direction < kDirections; ++direction) {
        const Line line(*this, cell, direction);
        look_at_attack(line, step);
        look_at_defence(line, colour);
    }
    this->set_to_move(colour ^ 1);
}

template <int N>
void FourBoard<N>::undo(const Step& step) {
    const int colour = this->to_move() ^ 1;
    this->take(step.cell, colour, step.winner);
    this->set_to_move(colour);
    for (int i = 0; i < step.size; ++i) {
        const typename Step::Change& was = step.changes[static_cast<std::size_t>(i)];
        set(was.cell, was.shapes, was.threat);
    }
    defence_ = step.defence;
}

// Read what the attacker could make of the empty cells around a new stone, in one direction.
template <int N>
void FourBoard<N>::look_at_attack(const Line& line, Step& step) {
    ShapeTable& table = *tables_[static_cast<std::size_t>(attacker_)];
    line.for_empty(surrounded<kOpenThreeStones>(line.attackers()), [&](int at, unsigned mine, unsigned theirs) {
        const int shift = 8 * line.direction;
        const std::uint32_t before = shapes_[static_cast<std::size_t>(at)];
        const std::uint32_t now = (before & ~(std::uint32_t{0xff} << shift)) |
                                  worth_keeping(static_cast<std::uint32_t>(table(mine, theirs))) << shift;
        if (now != before) change(at, now, threat_of(this->rule(), attacker_, now), step);
    });
}

// The same of the defender: only its own stone can give it a five, any may take one away.
template <int N>
void FourBoard<N>::look_at_defence(const Line& line, int colour) {
    const int defender = attacker_ ^ 1;
    if (!defence_.is_empty())
        line.for_empty(~std::uint64_t{0}, [&](int at, unsigned, unsigned) {
            if (defence_.has(at) && !this->is_win(at, defender)) defence_.remove(at);
        });
    if (colour != defender) return;
    ShapeTable& table = *tables_[static_cast<std::size_t>(defender)];
    line.for_empty(surrounded<kFiveStones>(line.defenders()), [&](int at, unsigned attack, unsigned defence) {
        if (table(defence, attack) == Shape::kFive) defence_.add(at);
    });
}

// Make a cell's worth to the attacker another, and remember what it was.
template <int N>
void FourBoard<N>::change(int cell, std::uint32_t shapes, Threat threat, Step& step) {
    const auto at = static_cast<std::size_t>(cell);
    step.changes[static_cast<std::size_t>(step.size++)] = {shapes_[at], static_cast<std::int16_t>(cell), threats_[at]};
    set(cell, shapes, threat);
}

template <int N>
void FourBoard<N>::set(int cell, std::uint32_t shapes, Threat threat) {
    const auto at = static_cast<std::size_t>(cell);
    shapes_[at] = shapes;
    attack_[static_cast<std::size_t>(threats_[at])].remove(cell);
    attack_[static_cast<std::size_t>(threat)].add(cell);
    threats_[at] = threat;
}

template class FourBoard<15>;
template class FourBoard<25>;

}  // namespace tengen::gomoku
