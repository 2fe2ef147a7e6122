// The rule variants of gomoku and what each calls a five.
//
// Numbers of the Gomocup protocol: freestyle 0, standard 1, renju 4, caro 8, exact caro 9 (8 + 1).
#pragma once

#include <array>
#include <cstdint>

namespace tengen::gomoku {

enum class Rule : std::uint8_t { kFreestyle, kStandard, kRenju, kCaro, kExactCaro };

inline constexpr std::array<const char*, 5> kRuleNames = {"freestyle", "standard", "renju", "caro", "exact-caro"};

// What wins on one line: five or more; exactly five; caro: more than five, or five with an end that no enemy stone
// stops (the edge does not stop it); exact caro: exactly five with such an end.
// Renju's black is exactly five and may not make two fours at once.
enum class LineRule : std::uint8_t { kFiveOrMore, kExactFive, kRenjuBlack, kCaro, kExactCaro };
inline constexpr int kLineRules = 5;

constexpr LineRule line_rule(Rule rule, int colour) {
    switch (rule) {
        case Rule::kStandard: return LineRule::kExactFive;
        case Rule::kRenju: return colour == 0 ? LineRule::kRenjuBlack : LineRule::kFiveOrMore;
        case Rule::kCaro: return LineRule::kCaro;
        case Rule::kExactCaro: return LineRule::kExactCaro;
        default: return LineRule::kFiveOrMore;
    }
}

constexpr bool is_caro(Rule rule) { return rule == Rule::kCaro || rule == Rule::kExactCaro; }

}  // namespace tengen::gomoku
