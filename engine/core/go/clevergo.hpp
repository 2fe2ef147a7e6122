// Features of networks of the program CleverGo for Go: a family of feature sets "clevergo-v1...". No globals; a policy
// has a number a cell, row-major, and one for the pass behind them.
//
// Planes, height x width floats from the mover's view, for `Steps` record steps. Separated, `Steps` twice:
//    own stones now, before the mover's last move, before the one before it, ...; then the enemy's at the same times
// Merged, `Steps` once:
//    own stones 1, enemy stones -1: now, before the last move, before the one before it, ...
// Then, of both:
//    1 everywhere when White is to move
//    the last move, where the set has it (a pass marks nothing)
// Unknown parts of the past are empty.
//
// "clevergo-v1" has four steps, separated, and the last move: ten planes. Its kin are named by what differs:
// "clevergo-v1-2", "clevergo-v1-merged", "clevergo-v1-8-merged-nolast".
//
// CleverGo shows black and white instead of own and enemy, the oldest board first, and the mover's stones as they were
// after its own last moves, so that those captured since still stand.
#pragma once

#include "core/encoders.hpp"
#include "core/go/state.hpp"

namespace tengen::go {

template <int Steps, bool IsSeparated, bool HasLast>
struct CleverGo {
    static constexpr int kPlanes = (IsSeparated ? 2 : 1) * Steps + 1 + HasLast;
    static const FeatureSet& set();
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals);
};

using CleverGoV1 = CleverGo<4, true, true>;

// Those that there are: 1, 2, 4 and 8 steps.
template <int N>
std::span<const Encoder<State<N>>> clevergo_encoders();

}  // namespace tengen::go
