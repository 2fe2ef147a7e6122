#include "core/gomoku/line.hpp"

namespace tengen::gomoku {
namespace {

// How many cells next to a window's centre one more stone makes such a shape on.
int ways(LineRule rule, unsigned mine, unsigned theirs, Shape wanted) {
    int found = 0;
    for (unsigned cells = 0x3fe & ~(mine | theirs | kCentre); cells; cells &= cells - 1)
        found += classify(rule, mine | (cells & -cells), theirs) == wanted;
    return found;
}

int ways_to_open_four(LineRule rule, unsigned mine, unsigned theirs) {
    return ways(rule, mine, theirs, Shape::kOpenFour) +
           (rule == LineRule::kRenjuBlack ? 0 : ways(rule, mine, theirs, Shape::kDoubleFour));
}

}  // namespace

Pattern pattern_of(LineRule rule, unsigned mine, unsigned theirs) {
    switch (classify(rule, mine, theirs)) {
        case Shape::kNone: return Pattern::kNone;
        case Shape::kOne: return ways(rule, mine, theirs, Shape::kOpenTwo) ? Pattern::kOpenOne : Pattern::kOne;
        case Shape::kTwo: return Pattern::kTwo;
        case Shape::kOpenTwo: {
            const int found = ways(rule, mine, theirs, Shape::kOpenThree);
            return found >= 4 ? Pattern::kOpenTwoFour : found == 3 ? Pattern::kOpenTwoThree : Pattern::kOpenTwo;
        }
        case Shape::kThree: return Pattern::kThree;
        case Shape::kOpenThree:
            return ways_to_open_four(rule, mine, theirs) >= 2 ? Pattern::kOpenThreeTwo : Pattern::kOpenThree;
        case Shape::kFour: return Pattern::kFour;
        case Shape::kOpenFour: return Pattern::kOpenFour;
        case Shape::kDoubleFour: return Pattern::kDoubleFour;
        case Shape::kFive: return Pattern::kFive;
        default: return Pattern::kOverline;
    }
}

PatternTable::PatternTable(Rule rule) : rule_(rule), is_narrow_(rule == Rule::kFreestyle) {
    const std::size_t size = std::size_t{1} << (is_narrow_ ? 16 : 20);
    entries_ = std::make_unique<std::atomic<std::uint8_t>[]>(size);
    for (std::size_t i = 0; i < size; ++i) entries_[i].store(kUnknown, std::memory_order_relaxed);
}

std::uint8_t PatternTable::fill(std::uint32_t key, unsigned black, unsigned white) {
    const auto of_black = static_cast<unsigned>(pattern_of(line_rule(rule_, 0), black, white));
    const auto of_white = static_cast<unsigned>(pattern_of(line_rule(rule_, 1), white, black));
    const auto found = static_cast<std::uint8_t>(of_black | of_white << 4);
    entries_[key].store(found, std::memory_order_relaxed);
    return found;
}

PatternTable& pattern_table(Rule rule) {
    switch (rule) {
        case Rule::kStandard: {
            static PatternTable table(Rule::kStandard);
            return table;
        }
        case Rule::kRenju: {
            static PatternTable table(Rule::kRenju);
            return table;
        }
        case Rule::kCaro: {
            static PatternTable table(Rule::kCaro);
            return table;
        }
        case Rule::kExactCaro: {
            static PatternTable table(Rule::kExactCaro);
            return table;
        }
        default: {
            static PatternTable table(Rule::kFreestyle);
            return table;
        }
    }
}

}  // namespace tengen::gomoku
