#include "core/gomoku/line_board.hpp"

namespace tengen::gomoku {
namespace {

// The nibbles of four bytes, the low ones or (shifted by four before) the high ones, as 16 bits.
constexpr unsigned nibbles(std::uint32_t bytes) {
    bytes &= 0x0f0f0f0fu;
    bytes = (bytes | bytes >> 4) & 0x00ff00ffu;
    return (bytes | bytes >> 8) & 0xffffu;
}
static_assert(nibbles(0x14233241) == 0x4321);

}  // namespace

template <int N>
template <int M>
LineBoard<N>::LineBoard(const State<M>& from)
    : Base(from.width(), from.height(), from.rule()),
      patterns_(&pattern_table(from.rule())),
      tables_{&worth_tables(from.rule(), 0), &worth_tables(from.rule(), 1)} {
    for (int dense = 0; dense < this->cells(); ++dense) {
        const int cell = this->from_dense(dense);
        std::uint32_t patterns = 0;
        for (int direction = 0; direction < kDirections; ++direction) {
            const Place place = L::place(this->width(), this->height(), cell, direction);
            patterns |= std::uint32_t{(*patterns_)(this->lanes().window(place, 0), this->lanes().window(place, 1))}
                        << 8 * direction;
        }
        set(cell, cells_[static_cast<std::size_t>(cell)], patterns);
    }
    for (int dense = 0; dense < this->cells(); ++dense)
        if (const int stone = from.stone(from.from_dense(dense))) add_stone(this->from_dense(dense), stone - 1);
    changes_.size = 0;
    this->finish(from.winner(), from.stones(), from.to_move());
}

template <int N>
void LineBoard<N>::play(int cell, Undo& undo) {
    undo.sums = sums_;
    undo.changes = changes_.size;
    undo.winner = static_cast<std::int8_t>(this->winner());
    add_stone(cell, this->to_move());
    this->set_to_move(this->to_move() ^ 1);
}

template <int N>
void LineBoard<N>::undo(int cell, const Undo& undo) {
    this->set_to_move(this->to_move() ^ 1);
    this->take(cell, this->to_move(), undo.winner);
    for (std::uint32_t i = changes_.size; i-- > undo.changes;) {
        const Change& change = changes_[i];
        Cell& now = cells_[static_cast<std::size_t>(change.cell)];
        for (int colour : {0, 1}) {
            const auto side = static_cast<std::size_t>(colour);
            if (now.threats[side] != change.was.threats[side])
                move_to_set(change.cell, colour, now.threats[side], change.was.threats[side]);
        }
        now = change.was;
    }
    changes_.size = undo.changes;
    sums_ = undo.sums;
}

template <int N>
bool LineBoard<N>::spoils(int cell, int colour, int direction, int offset) const {
    const Place place = L::place(this->width(), this->height(), cell, direction);
    const unsigned mine = this->lanes().window(place, colour);
    const unsigned blocked = this->lanes().window(place, colour ^ 1) | 1u << (kReach + offset);
    return shape_table(this->line_rule(colour))(mine, blocked) < Shape::kOpenFour;
}

template <int N>
void LineBoard<N>::add_stone(int cell, int colour) {
    Cell& here = cells_[static_cast<std::size_t>(cell)];
    changes_.make_room();
    changes_.push(here, cell);
    for (std::size_t side : {0u, 1u}) {
        sums_.turn[side] -= here.turn[side];
        sums_.wait[side] -= here.wait[side];
        const Threat threat = here.threats[side];
        --sums_.counts[side][static_cast<std::size_t>(threat)];
        if (threat != Threat::kNothing) sets_[side][static_cast<std::size_t>(threat)].remove(cell);
    }
    here = {};
    Base::put(cell, colour);
    mark_near(cell);
    const int reach = patterns_->reach();
    const unsigned around = kWindow & ~((1u << (kReach - reach)) - 1) & ((2u << (kReach + reach)) - 1);
    for (int direction = 0; direction < kDirections; ++direction) {
        const Place place = L::place(this->width(), this->height(), cell, direction);
        const std::uint64_t black = this->lanes().windows(place, 0), white = this->lanes().windows(place, 1);
        const int step = L::kStep[static_cast<std::size_t>(direction)];
        const std::uint32_t mask = std::uint32_t{0xff} << 8 * direction;
        for (unsigned empty = static_cast<unsigned>(~(black | white) >> place.bit) & around; empty;
             empty &= empty - 1) {
            const int offset = std::countr_zero(empty) - kReach, bit = place.bit + offset;
            const std::uint8_t found = (*patterns_)(static_cast<unsigned>(black >> bit) & kWindow,
                                                    static_cast<unsigned>(white >> bit) & kWindow);
            const int at = cell + offset * step;
            Cell& now = cells_[static_cast<std::size_t>(at)];
            const std::uint32_t differs = (std::uint32_t{found} << 8 * direction) ^ (now.patterns & mask);
            if (!differs) continue;
            changes_.push(now, at);
            set(at, now, now.patterns ^ differs);
        }
    }
}

// Give an empty cell other patterns.
template <int N>
void LineBoard<N>::set(int cell, Cell& now, std::uint32_t patterns) {
    const std::uint32_t differs = now.patterns ^ patterns;
    now.patterns = patterns;
    if (differs & 0x0f0f0f0fu) set_index<0>(cell, now, nibbles(patterns));
    if (differs & 0xf0f0f0f0u) set_index<1>(cell, now, nibbles(patterns >> 4));
}

template <int N>
template <int kColour>
void LineBoard<N>::set_index(int cell, Cell& now, unsigned code) {
    const unsigned index = index_of(code);
    const Worth worth = tables_[kColour]->worths[index];
    now.indices[kColour] = static_cast<std::uint16_t>(index);
    sums_.turn[kColour] += worth.turn - now.turn[kColour];
    sums_.wait[kColour] += worth.wait - now.wait[kColour];
    now.turn[kColour] = worth.turn;
    now.wait[kColour] = worth.wait;
    const Threat before = now.threats[kColour];
    if (before == worth.threat) return;
    --sums_.counts[kColour][static_cast<std::size_t>(before)];
    ++sums_.counts[kColour][static_cast<std::size_t>(worth.threat)];
    move_to_set(cell, kColour, before, worth.threat);
    now.threats[kColour] = worth.threat;
}

template <int N>
void LineBoard<N>::move_to_set(int cell, int colour, Threat before, Threat now) {
    auto& sets = sets_[static_cast<std::size_t>(colour)];
    if (before != Threat::kNothing) sets[static_cast<std::size_t>(before)].remove(cell);
    if (now != Threat::kNothing) sets[static_cast<std::size_t>(now)].add(cell);
}

template <int N>
void LineBoard<N>::mark_near(int cell) {
    using Lane = typename L::Lane;
    const int row = L::row(cell), column = L::column(cell);
    const auto on_board = static_cast<std::uint32_t>((std::uint64_t{1} << this->width()) - 1);
    const auto at = [column](std::uint64_t pattern) { return pattern << column >> 3; };  // bit 3: the cell's column
    for (int r = std::max(0, row - 3); r <= std::min(this->height() - 1, row + 3); ++r) {
        const int off = std::abs(r - row);
        const std::uint64_t bits = off == 0 ? 0x7f : off == 3 ? 0x49 : 0x3e;
        sums_.near[static_cast<std::size_t>(r)] |= static_cast<Lane>(static_cast<std::uint32_t>(at(bits)) & on_board);
    }
}

template <int N>
const char* LineBoard<N>::inconsistency() const {
    const LineBoard anew(*static_cast<const Base*>(this));
    for (int dense = 0; dense < this->cells(); ++dense) {
        const int cell = this->from_dense(dense);
        if (!this->is_empty(cell)) continue;
        if (!(of(cell) == anew.of(cell))) return "cell";
        for (int colour : {0, 1}) {
            for (int direction = 0; direction < kDirections; ++direction)
                if (shape(cell, colour, direction) != Base::shape(cell, colour, direction)) return "shape";
            if ((threat(cell, colour) == Threat::kFive) != this->is_win(cell, colour)) return "five";
        }
    }
    if (!(sums_ == anew.sums_)) return "sums";
    return sets_ == anew.sets_ ? nullptr : "sets";
}

template class LineBoard<15>;
template class LineBoard<25>;
template LineBoard<15>::LineBoard(const State<kLargest>&);
template LineBoard<25>::LineBoard(const State<kLargest>&);
template LineBoard<15>::LineBoard(const State<15>&);

}  // namespace tengen::gomoku
