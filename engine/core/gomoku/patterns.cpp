#include "core/gomoku/patterns.hpp"

namespace tengen::gomoku {
namespace {

// A softmax regression of the visits of 13,000 searches (400 playouts, 15x15 freestyle self-play) on the shapes of
// every near cell; what such searches never weigh (a win, an open four) is set by hand. The shapes had a fault then
// (two windows of five that lack one cell were a double four). Fitted again without it, by tengen.tools.dev.gomoku_fit,
// they and those of tactical.cpp play no better: see docs/benchmarks.md.
//                                none one two open2 three open3 four open4 double4 five overline
constexpr ShapeScores kScores = {{{0, 2, 5, 19, 19, 24, 19, 56, 56, 96, 0}}, {{0, 0, 1, 7, 10, 19, 20, 40, 40, 64, 0}}};
//                                     nothing three double3 four four3 suspect open4 five
constexpr std::array<std::int8_t, kThreats> kOwnBonus = {0, 9, 20, 9, 11, 0, 0, 0};
constexpr std::array<std::int8_t, kThreats> kEnemyBonus = {0, 8, 18, 9, 29, 0, 0, 0};

// What a threat is made of, a hexadecimal digit a kind: the sum over the directions counts them all at once.
constexpr std::uint32_t kThrees = 1, kFours = 0x10, kSureFours = 0x100, kFives = 0x1000, kOverlines = 0x10000;
//  none one two open2 three, open3, four, open4, double4, five, overline
constexpr std::array<std::uint32_t, kShapes> kTallies = {
    0, 0, 0, 0, 0, kThrees, kFours, kFours + kSureFours, 2 * kFours + kSureFours, kFives, kOverlines};

}  // namespace

Threat threat_of(Rule rule, int colour, std::uint32_t shapes) {
    std::uint32_t tally = 0;
    for (int direction = 0; direction < kDirections; ++direction) tally += kTallies[shapes >> 8 * direction & 0xff];
    const auto count = [tally](std::uint32_t kind) { return tally / kind & 0xf; };
    const std::uint32_t fours = count(kFours), threes = count(kThrees);
    if (count(kFives)) return Threat::kFive;
    if (rule == Rule::kRenju && colour == 0 && (count(kOverlines) || fours >= 2 || threes >= 2))
        return Threat::kSuspect;
    if (count(kSureFours) || (fours >= 2 && !is_caro(rule))) return Threat::kOpenFour;
    if (fours >= 2 || (fours && threes)) return Threat::kFourThree;
    if (fours) return Threat::kFour;
    return threes >= 2 ? Threat::kDoubleThree : threes ? Threat::kThree : Threat::kNothing;
}

template <int N>
template <int M>
TacticalState<N>::TacticalState(const State<M>& from) : Base(from.width(), from.height(), from.rule()) {
    for (int colour : {0, 1}) tables_[static_cast<std::size_t>(colour)] = &shape_table(this->line_rule(colour));
    for (int dense = 0; dense < this->cells(); ++dense) {
        const int cell = this->from_dense(dense);
        for (int colour : {0, 1}) {
            counts_[static_cast<std::size_t>(colour)][0]++;
            shape_counts_[static_cast<std::size_t>(colour)][0] += kDirections;
            sets_[static_cast<std::size_t>(colour)][0].add(cell);
        }
        for (int direction = 0; direction < kDirections; ++direction) {
            const Place place = L::place(this->width(), this->height(), cell, direction);
            look(cell, direction, place.bit, windows(place));
        }
    }
    for (int dense = 0; dense < this->cells(); ++dense) {
        const int cell = this->from_dense(dense);
        const int stone = from.stone(from.from_dense(dense));
        if (stone) add_stone(cell, stone - 1);
    }
    this->finish(from.winner(), from.stones(), from.to_move());
}

template <int N>
void TacticalState<N>::play(int cell) {
    const int colour = this->to_move();
    add_stone(cell, colour);
    this->set_to_move(colour ^ 1);
}

template <int N>
int TacticalState<N>::candidate_moves(int* out) const {
    if (this->winner() >= 0) return 0;
    int count = 0;
    any_near([&](int cell) {
        if (this->is_allowed(cell, this->to_move())) out[count++] = cell;
        return false;
    });
    return count ? count : Base::candidate_moves(out);
}

template <int N>
bool TacticalState<N>::spoils(int cell, int colour, int direction, int offset) const {
    const Place place = L::place(this->width(), this->height(), cell, direction);
    const unsigned mine = this->lanes().window(place, colour);
    const unsigned blocked = this->lanes().window(place, colour ^ 1) | 1u << (kReach + offset);
    return (*tables_[static_cast<std::size_t>(colour)])(mine, blocked) < Shape::kOpenFour;
}

template <int N>
void TacticalState<N>::add_stone(int cell, int colour) {
    Base::put(cell, colour);
    clear_cell(cell);
    mark_near(cell);
    const int reach = this->rule() == Rule::kFreestyle ? kReach - 1 : kReach;
    for (int direction = 0; direction < kDirections; ++direction) {
        const Place place = L::place(this->width(), this->height(), cell, direction);
        const Windows line = windows(place);
        unsigned empty = static_cast<unsigned>(~(line[0] | line[1]) >> place.bit) & kWindow;
        if (reach < kReach) empty &= 0x3fe;
        for (; empty; empty &= empty - 1) {
            const int k = std::countr_zero(empty) - kReach;
            look(cell + k * L::kStep[static_cast<std::size_t>(direction)], direction, place.bit + k, line);
        }
    }
}

// Read one direction of an empty cell anew.
template <int N>
void TacticalState<N>::look(int cell, int direction, int bit, const Windows& line) {
    const unsigned black = static_cast<unsigned>(line[0] >> bit) & kWindow;
    const unsigned white = static_cast<unsigned>(line[1] >> bit) & kWindow;
    set_shape(cell, 0, direction, (*tables_[0])(black, white));
    set_shape(cell, 1, direction, (*tables_[1])(white, black));
}

template <int N>
void TacticalState<N>::set_shape(int cell, int colour, int direction, Shape shape) {
    const auto side = static_cast<std::size_t>(colour), at = static_cast<std::size_t>(cell);
    std::uint32_t& packed = shapes_[side][at];
    const auto before = static_cast<std::size_t>(packed >> 8 * direction & 0xff), now = static_cast<std::size_t>(shape);
    if (before == now) return;
    packed ^= static_cast<std::uint32_t>(before ^ now) << 8 * direction;
    --shape_counts_[side][before];
    ++shape_counts_[side][now];
    scores_[side][at] = static_cast<std::int16_t>(scores_[side][at] + kScores.own[now] - kScores.own[before]);
    scores_[side ^ 1][at] =
        static_cast<std::int16_t>(scores_[side ^ 1][at] + kScores.enemy[now] - kScores.enemy[before]);
    if (now >= static_cast<std::size_t>(Shape::kOpenThree) || before >= static_cast<std::size_t>(Shape::kOpenThree))
        classify_cell(cell, colour);
}

template <int N>
void TacticalState<N>::classify_cell(int cell, int colour) {
    const auto side = static_cast<std::size_t>(colour), at = static_cast<std::size_t>(cell);
    const Threat threat = threat_of(this->rule(), colour, shapes_[side][at]);
    const auto before = static_cast<std::size_t>(threats_[side][at]), now = static_cast<std::size_t>(threat);
    if (before == now) return;
    threats_[side][at] = static_cast<std::uint8_t>(now);
    --counts_[side][before];
    ++counts_[side][now];
    sets_[side][before].remove(cell);
    sets_[side][now].add(cell);
    scores_[side][at] = static_cast<std::int16_t>(scores_[side][at] + kOwnBonus[now] - kOwnBonus[before]);
    scores_[side ^ 1][at] = static_cast<std::int16_t>(scores_[side ^ 1][at] + kEnemyBonus[now] - kEnemyBonus[before]);
}

template <int N>
void TacticalState<N>::clear_cell(int cell) {
    for (std::size_t side : {0u, 1u}) {
        const std::size_t threat = threats_[side][static_cast<std::size_t>(cell)];
        --counts_[side][threat];
        sets_[side][threat].remove(cell);
        for (std::uint32_t packed = shapes_[side][static_cast<std::size_t>(cell)], d = 0; d < 4; ++d, packed >>= 8)
            --shape_counts_[side][packed & 0xff];
        threats_[side][static_cast<std::size_t>(cell)] = 0;
        shapes_[side][static_cast<std::size_t>(cell)] = 0;
    }
}

template <int N>
void TacticalState<N>::mark_near(int cell) {
    const int row = L::row(cell), column = L::column(cell);
    const std::uint64_t five = std::uint64_t{31} << column >> 2;
    const auto bits = static_cast<std::uint32_t>(five & ((std::uint64_t{1} << this->width()) - 1));
    for (int r = std::max(0, row - 2); r <= std::min(this->height() - 1, row + 2); ++r)
        near_[static_cast<std::size_t>(r)] |= bits;
}

template <int N>
const char* TacticalState<N>::inconsistency() const {
    std::array<std::array<int, kThreats>, 2> counts{};
    std::array<std::array<int, kShapes>, 2> shapes{};
    CellSet<L::kCellBound> near;
    any_near([&](int cell) {
        near.add(cell);
        return false;
    });
    for (int dense = 0; dense < this->cells(); ++dense) {
        const int cell = this->from_dense(dense);
        if (!this->is_empty(cell)) continue;
        bool is_near = false;
        for (int row = L::row(cell) - 2; row <= L::row(cell) + 2; ++row)
            for (int column = L::column(cell) - 2; column <= L::column(cell) + 2; ++column)
                is_near |= this->is_inside(row, column) && !this->is_empty(L::cell(row, column));
        if (is_near != near.has(cell)) return "near";
        for (int colour : {0, 1}) {
            const auto side = static_cast<std::size_t>(colour);
            int own = kOwnBonus[static_cast<std::size_t>(threat(cell, colour))] +
                      kEnemyBonus[static_cast<std::size_t>(threat(cell, colour ^ 1))];
            for (int direction = 0; direction < kDirections; ++direction) {
                const Shape mine = Base::shape(cell, colour, direction);
                if (shape(cell, colour, direction) != mine) return "shape";
                ++shapes[side][static_cast<std::size_t>(mine)];
                own += kScores.own[static_cast<std::size_t>(mine)] +
                       kScores.enemy[static_cast<std::size_t>(Base::shape(cell, colour ^ 1, direction))];
            }
            if (own != score(cell, colour)) return "score";
            if ((threat(cell, colour) == Threat::kFive) != this->is_win(cell, colour)) return "five";
            ++counts[side][static_cast<std::size_t>(threat(cell, colour))];
            if (!cells_with(threat(cell, colour), colour).has(cell)) return "set";
        }
    }
    for (std::size_t side : {0u, 1u}) {
        for (std::size_t threat = 0; threat < kThreats; ++threat)
            if (counts[side][threat] != counts_[side][threat]) return "count";
        for (std::size_t shape = 0; shape < kShapes; ++shape)
            if (shapes[side][shape] != shape_counts_[side][shape]) return "shape count";
    }
    return nullptr;
}

template class TacticalState<15>;
template class TacticalState<25>;
template TacticalState<15>::TacticalState(const State<kLargest>&);
template TacticalState<25>::TacticalState(const State<kLargest>&);

}  // namespace tengen::gomoku
