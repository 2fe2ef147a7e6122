#include "core/gomoku/worth.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "core/gomoku/worth_values.hpp"

namespace tengen::gomoku {
namespace {

std::uint32_t shapes_of(unsigned code) {
    std::uint32_t shapes = 0;
    for (int direction = 0; direction < kDirections; ++direction)
        shapes |= static_cast<std::uint32_t>(shape_of(pattern_at(code, direction))) << 8 * direction;
    return shapes;
}

void fill(Rule rule, int colour, unsigned code, Worth& worth, Promise& promise) {
    std::array<std::size_t, kDirections> patterns{};
    int attack = 0, defence = 0, turn = 0, wait = 0;
    bool has_four = false;
    for (int direction = 0; direction < kDirections; ++direction) {
        const auto p = static_cast<std::size_t>(pattern_at(code, direction));
        patterns[static_cast<std::size_t>(direction)] = p;
        has_four |= is_four(shape_of(static_cast<Pattern>(p)));
        attack += values::kAttack[p];
        defence += values::kDefence[p];
        turn += values::kTurn[p];
        wait += values::kWait[p];
    }
    std::sort(patterns.begin(), patterns.end(), std::greater<>());
    const Threat threat = threat_of(rule, colour, shapes_of(code));
    const auto t = static_cast<std::size_t>(threat);
    turn += values::kTurnPair[patterns[0]][patterns[1]];
    wait += values::kWaitPair[patterns[0]][patterns[1]];
    worth = {static_cast<std::int16_t>(turn), static_cast<std::int16_t>(wait), threat, has_four};
    promise = {static_cast<std::int16_t>(attack + values::kAttackThreat[t]),
               static_cast<std::int16_t>(defence + values::kDefenceThreat[t])};
}

std::unique_ptr<WorthTables> made(Rule rule, int colour) {
    auto out = std::make_unique<WorthTables>();
    for (unsigned a = 0; a < kPatterns * kPatterns; ++a)
        for (unsigned b = 0; b < kPatterns * kPatterns; ++b) {
            const unsigned code = a % kPatterns | (a / kPatterns) << 4 | (b % kPatterns) << 8 | (b / kPatterns) << 12;
            if ((a % kPatterns) > (a / kPatterns) || (b % kPatterns) > (b / kPatterns)) continue;  // the other order
            fill(rule, colour, code, out->worths[index_of(code)], out->promises[index_of(code)]);
        }
    return out;
}

template <Rule kRule, int kColour>
const WorthTables& shared() {
    static const std::unique_ptr<WorthTables> tables = made(kRule, kColour);
    return *tables;
}

template <Rule kRule>
const WorthTables& shared(int colour) {
    return colour == 0 ? shared<kRule, 0>() : shared<kRule, 1>();
}

}  // namespace

const WorthTables& worth_tables(Rule rule, int colour) {
    switch (rule) {
        case Rule::kStandard: return shared<Rule::kStandard>(colour);
        case Rule::kRenju: return shared<Rule::kRenju>(colour);
        case Rule::kCaro: return shared<Rule::kCaro>(colour);
        case Rule::kExactCaro: return shared<Rule::kExactCaro>(colour);
        default: return shared<Rule::kFreestyle>(colour);
    }
}

int threats_worth(unsigned own, unsigned enemy) { return values::kThreatsWorth[own][enemy]; }

}  // namespace tengen::gomoku
