// The inputs of KataGo's networks, version 7: feature set "katago-v7", as KataGo's published sources define them.
//
// Planes, height x width floats from the mover's view:
//    0      on the board
//    1, 2   own stones, enemy stones
//    3-5    stones of chains with 1, 2, 3 liberties
//    6      points banned by ko, and those that the caller bans (superko)
//    7, 8   kos of the encore: never, see below
//    9-13   the last five moves, newest first
//   14-16   laddered chains (katago_ladders.hpp), now, before the last move and before the one before it
//   17      moves that start a ladder against an enemy chain with two liberties
//   18, 19  own, enemy area (katago_area.hpp), under area scoring
//   20, 21  stones at the start of the second encore: never
// Globals:
//    0-4    of the last five moves, newest first, was it a pass
//    5      komi from the mover's view, divided by 20; under territory scoring with every stone that was played counted
//           against its side, as area counts it for it
//    6, 7   superko (1 with 1/2 for positional, -1/2 for situational)
//    8-11   suicide, territory scoring, tax, tax on all groups
//   12, 13  first, second encore: never
//   14      a pass would end the game
//   15, 16  the mover has more or fewer playouts than its opponent: 1, and half of the doublings
//   17      the button can still be taken
//   18      under area scoring, how much a little more komi is worth: a wave of period 2 around komis that can draw
//
// The encore, KataGo's way to play out disputes of territory scoring, does not exist here: phase 0 is all there is.
// Nor is a pass in a position where the same side has passed before said to end a game without superko.
#pragma once

#include "core/features.hpp"
#include "core/go/state.hpp"

namespace tengen::go {

// The facts that are encoded besides the position and its past.
struct KataFacts {
    float doublings = 0;           // playout doubling advantage of the mover, -3 to 3
    bool has_button = false;       // it is there and nobody took it; komi counts it when it was
    bool hides_end = false;        // see a position whose next pass ends the game as if it did not, and without a past
    bool friendly_pass = false;    // so see every position after one pass
    bool suicide_in_life = false;  // what is pass-alive is judged as if suicide were legal: newer networks want that
};

// A policy has a number a cell, row-major, and one for the pass behind them.
struct KataV7 {
    static constexpr int kPlanes = 22, kGlobals = 19, kRecent = 5, kEarlier = 2;
    using Facts = KataFacts;
    static const FeatureSet& set();
    // A root that is searched by these facts, and what holds so many plies below it.
    template <int N>
    static void prepare(State<N>& root, const KataFacts& facts) {
        root.set_button(facts.has_button);
    }
    static KataFacts below(KataFacts facts, int plies) {
        facts.has_button = false;  // the position knows
        if (plies % 2) facts.doublings = -facts.doublings;
        return facts;
    }
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals,
                       const KataFacts& facts);
    template <int N>
    static void encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals) {
        encode(state, past, symmetry, planes, globals, KataFacts());
    }
};

}  // namespace tengen::go
