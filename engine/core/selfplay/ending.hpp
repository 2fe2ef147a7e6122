// Ends of games besides the rules of a state, and the owners of points then: games that know more specialise EndingOf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/concepts.hpp"

namespace tengen::selfplay {

enum class End : std::uint8_t { kRules, kDecided, kRepetition, kLength, kResigned };
inline constexpr const char* kEndNames[] = {"rules", "decided", "repetition", "length", "resigned"};

template <GameState S>
struct EndingOf {
    // Why no game of self-play can start from here; empty: it can.
    static std::string refusal(const S&) { return {}; }
    // Whether the game can only end in one way, however it is played.
    static bool is_decided(const S&) { return false; }
    // The margin of a game that ended so, + = player 0 ahead. One that became too long without a result is a draw.
    static float margin(const S& state, End end) { return end == End::kRules ? state.margin() : 0.0f; }
    // By cell: 1 player 0, -1 player 1, 0 nobody. Nothing where it has no meaning.
    static std::vector<std::int8_t> owners(const S&, End) { return {}; }
};

}  // namespace tengen::selfplay
