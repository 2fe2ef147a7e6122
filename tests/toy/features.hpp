// What a network sees of three men's morris: the feature set "morris-v1".
//
// Planes: own men, enemy men, where the last man came to, 1 everywhere while the mover places. Globals: the shares of
// own and of enemy men still in hand. A policy has a number a dense move.
#pragma once

#include <algorithm>
#include <span>

#include "core/encoders.hpp"
#include "core/features.hpp"
#include "core/symmetry.hpp"
#include "morris.hpp"

namespace toy {

struct MorrisV1 {
    static int policy_size(int, int) { return State::kMoveBound; }
    static int policy_index(int move, int width, int height, int symmetry) {
        const auto turned = [&](int cell) { return tengen::transform_cell(cell, width, height, symmetry); };
        if (move < State::kCells) return turned(move);
        return State::kCells + turned(State::from(move)) * State::kCells + turned(State::to(move));
    }

    static const tengen::FeatureSet& set() {
        static const tengen::FeatureSet set{
            .game = "morris",
            .name = "morris-v1",
            .planes = {"own", "enemy", "recent_1", "placing"},
            .globals = {"own_in_hand", "enemy_in_hand"},
            .recent = 1,
            .symmetries = tengen::symmetry_count,
            .policy_size = policy_size,
            .policy_index = policy_index,
        };
        return set;
    }

    static void encode(const State& state, const tengen::Past<State>& past, int symmetry, float* planes,
                       float* globals) {
        constexpr int n = State::kCells;
        std::fill(planes, planes + 4 * n, 0.0f);
        const auto at = [&](int cell) { return policy_index(cell, State::kSide, State::kSide, symmetry); };
        const int own = state.to_move() + 1;
        for (int cell = 0; cell < n; ++cell)
            if (const int stone = state.stone(cell)) planes[(stone == own ? 0 : n) + at(cell)] = 1;
        if (!past.recent.empty() && past.recent.back() >= 0) planes[2 * n + at(State::to(past.recent.back()))] = 1;
        if (state.in_hand(state.to_move()) > 0) std::fill(planes + 3 * n, planes + 4 * n, 1.0f);
        for (int side : {0, 1}) globals[side] = static_cast<float>(state.in_hand(state.to_move() ^ side)) / State::kMen;
    }
};

static_assert(tengen::FeatureEncoder<MorrisV1, State>);

// All sets of the game: what is generic over games asks here (core/encoders.hpp).
struct Sets {
    using Root = State;
    static Root example(int = State::kSide, int = State::kSide) { return Root(); }
    template <class F>
    static decltype(auto) on_smallest(const Root& root, const F& f) {
        return f(root);
    }
    static std::span<const tengen::Encoder<State>> encoders(const State&) {
        static const tengen::Encoder<State> all[] = {tengen::encoder_of<MorrisV1, State>()};
        return all;
    }
};

}  // namespace toy
