#include "core/gomoku/shape.hpp"

#include <bit>

namespace tengen::gomoku {
namespace {

// The five windows of five cells that contain the centre start at bits 1..5.
constexpr int kFirst = 1, kLast = 5;

struct Line {
    LineRule rule;
    unsigned enemy, edge;  // disjoint

    // Whether a five that fills the five cells from `start` wins when the stones of `mine` stand, the five included.
    bool wins(unsigned mine, int start) const {
        const unsigned before = 1u << (start - 1), after = 32u << start;
        const bool longer = (mine & (before | after)) != 0;
        const bool stopped = (enemy & before) && (enemy & after);
        switch (rule) {
            case LineRule::kExactFive:
            case LineRule::kRenjuBlack: return !longer;
            case LineRule::kCaro: return longer || !stopped;
            case LineRule::kExactCaro: return !longer && !stopped;
            default: return true;
        }
    }

    bool is_five(unsigned mine) const {
        for (int start = kFirst; start <= kLast; ++start)
            if ((mine >> start & 31) == 31 && wins(mine, start)) return true;
        return false;
    }

    // Cells that make a winning five with the centre.
    unsigned completions(unsigned mine) const {
        unsigned cells = 0;
        for (int start = kFirst; start <= kLast; ++start) {
            const unsigned five = 31u << start, missing = five & ~mine;
            if (!(five & (enemy | edge)) && std::has_single_bit(missing) && wins(mine | missing, start))
                cells |= missing;
        }
        return cells;
    }

    // Whether every single reply on this line leaves a winning cell (in caro a stone beyond the five can stop it).
    bool is_unstoppable(unsigned mine, unsigned cells) const {
        if (std::has_single_bit(cells)) return false;
        if (rule != LineRule::kCaro && rule != LineRule::kExactCaro) return true;
        for (unsigned empty = kWindow & ~(mine | enemy | edge); empty; empty &= empty - 1) {
            Line after = *this;
            after.enemy |= empty & -empty;
            if (!after.completions(mine)) return false;
        }
        return true;
    }

    // Whether both ends of an unbroken row of four through the centre are among the winning cells.
    static bool is_straight(unsigned mine, unsigned cells) {
        for (int start = kFirst + 1; start <= kLast; ++start) {
            const unsigned row = 15u << start, ends = 33u << (start - 1);
            if ((mine & row) == row && (cells & ends) == ends) return true;
        }
        return false;
    }

    Shape four(unsigned mine) const {
        const unsigned cells = completions(mine);
        if (!cells) return Shape::kNone;
        if (!is_unstoppable(mine, cells)) return Shape::kFour;
        return is_straight(mine, cells) ? Shape::kOpenFour : Shape::kDoubleFour;
    }

    // The best that one more stone can make, by `next`.
    template <class Next>
    Shape best(unsigned mine, Next next) const {
        Shape found = Shape::kNone;
        for (unsigned empty = 0x3fe & ~(mine | enemy | edge); empty; empty &= empty - 1) {
            const Shape shape = next(mine | (empty & -empty));
            if (shape > found) found = shape;
        }
        return found;
    }

    Shape three(unsigned mine) const {
        const Shape next = best(mine, [this](unsigned more) {
            const Shape shape = four(more);  // for renju's black only a straight four is more than a four
            return rule == LineRule::kRenjuBlack && shape == Shape::kDoubleFour ? Shape::kFour : shape;
        });
        return next >= Shape::kOpenFour ? Shape::kOpenThree : next == Shape::kFour ? Shape::kThree : Shape::kNone;
    }

    Shape two(unsigned mine) const {
        const Shape next = best(mine, [this](unsigned more) { return three(more); });
        return next == Shape::kOpenThree ? Shape::kOpenTwo : next == Shape::kThree ? Shape::kTwo : Shape::kNone;
    }

    bool has_room(unsigned mine) const {
        for (int start = kFirst; start <= kLast; ++start)
            if (!(31u << start & (enemy | edge)) && wins(mine | 31u << start, start)) return true;
        return false;
    }
};

bool is_long(unsigned mine) {  // a row of six or more through the centre
    for (int start = 0; start <= 5; ++start)
        if ((mine >> start & 63) == 63) return true;
    return false;
}

}  // namespace

Shape classify(LineRule rule, unsigned mine, unsigned theirs) {
    const unsigned edge = mine & theirs & ~kCentre;
    const Line line{rule, theirs & ~edge & ~kCentre, edge};
    const unsigned stones = (mine & ~edge) | kCentre;
    if (line.is_five(stones)) return Shape::kFive;
    if (is_long(stones)) return rule == LineRule::kCaro ? Shape::kFive : Shape::kOverline;
    if (!line.has_room(stones)) return Shape::kNone;
    const int count = std::popcount(stones & 0x3feu);
    if (count >= 4)
        if (const Shape shape = line.four(stones); shape != Shape::kNone) return shape;
    if (count >= 3)
        if (const Shape shape = line.three(stones); shape != Shape::kNone) return shape;
    if (count >= 2)
        if (const Shape shape = line.two(stones); shape != Shape::kNone) return shape;
    return Shape::kOne;
}

Shape ShapeTable::fill(unsigned key, unsigned mine, unsigned theirs) {
    const Shape shape = classify(rule_, mine, theirs);
    entries_[key].store(static_cast<std::uint8_t>(static_cast<int>(shape) + 1), std::memory_order_relaxed);
    return shape;
}

ShapeTable& shape_table(LineRule rule) {
    static std::array<ShapeTable, kLineRules> tables{
        ShapeTable(LineRule::kFiveOrMore), ShapeTable(LineRule::kExactFive), ShapeTable(LineRule::kRenjuBlack),
        ShapeTable(LineRule::kCaro), ShapeTable(LineRule::kExactCaro)};
    return tables[static_cast<std::size_t>(rule)];
}

}  // namespace tengen::gomoku
