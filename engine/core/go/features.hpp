// Feature planes of Go positions: what a network sees, encoded once, here.
//
// Every plane is height x width floats from the mover's view. Set "go-v1":
//    0      on the board (1 everywhere; tells the board from padding)
//    1, 2   own stones, enemy stones
//    3-6    stones of chains with 1, 2, 3, 4 or more liberties
//    7      points banned by ko, and those that the caller bans (superko)
//    8-12   the last five moves, newest first; a pass, or no history, marks nothing
//   13      the last move was a pass
//   14      points that komi gives the mover (negative: takes), divided by 15
//   15-20   area scoring, tax on seki, tax on all groups, positional superko, situational superko, suicide
//   21, 22  own, enemy chains with one or two liberties that a ladder captures (ladder.hpp)
//   23, 24  own, enemy stones and regions that are unconditionally alive (benson.hpp)
#pragma once

#include <array>
#include <span>

#include "core/go/state.hpp"

namespace tengen::go {

constexpr int kFeaturePlanes = 25;
constexpr int kFeatureMoves = 5;
extern const std::array<const char*, kFeaturePlanes> kFeatureNames;

// Fill out[kFeaturePlanes * cells]. `recent`: native moves, newest last, only the last five count;
// `banned`: points that the rules forbid the mover beyond what the state itself knows.
template <int N>
void encode_features(const State<N>& state, std::span<const int> recent, std::span<const int> banned, float* out);

}  // namespace tengen::go
