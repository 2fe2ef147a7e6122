#include "core/gomoku/features.hpp"

#include "core/planes.hpp"

namespace tengen::gomoku {

namespace {

constexpr int kColour = 7, kRule = 8, kForbidden = 12, kThreats = 13, kThreatsASide = 4;

int policy_size(int width, int height) { return width * height; }

// Where the last moves are, newest first, from plane `first` on.
template <int N>
void show_moves(const State<N>& state, std::span<const int> recent, int first, int most, Planes& out) {
    for (int i = 0; i < most && i < static_cast<int>(recent.size()); ++i) {
        const int move = recent[recent.size() - 1 - static_cast<std::size_t>(i)];
        if (move >= 0) out.set(first + i, state.to_dense(move));
    }
}

template <int N>
void show_stones(const State<N>& state, int own_plane, Planes& out) {
    for (int dense = 0; dense < state.cells(); ++dense)
        if (const int stone = state.stone(state.from_dense(dense)))
            out.set(stone == state.to_move() + 1 ? own_plane : own_plane + 1, dense);
}

// The plane of a shape among those of its side, -1: none.
constexpr int threat_plane(Shape shape) {
    switch (shape) {
        case Shape::kFive: return 0;
        case Shape::kOpenFour:
        case Shape::kDoubleFour: return 1;
        case Shape::kFour: return 2;
        case Shape::kOpenThree: return 3;
        default: return -1;
    }
}

template <int N>
void show_lines(const State<N>& state, Planes& out) {
    any_empty(state, [&](int cell) {
        const int dense = state.to_dense(cell);
        for (int side : {0, 1})
            for (int direction = 0; direction < kDirections; ++direction) {
                const int plane = threat_plane(state.shape(cell, state.to_move() ^ side, direction));
                if (plane >= 0) out.set(kThreats + side * kThreatsASide + plane, dense);
            }
        if (state.foul(cell) != Foul::kNone) out.set(kForbidden, dense);
        return false;
    });
}

}  // namespace

const FeatureSet& AlphaZeroGomokuV1::set() {
    static const FeatureSet set{
        .game = "gomoku",
        .name = "alphazero-gomoku-v1",
        .planes = {"own", "enemy", "recent_1", "first_player"},
        .globals = {},
        .recent = 1,
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = transform_cell,
    };
    return set;
}

template <int N>
void AlphaZeroGomokuV1::encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float*) {
    Planes out(planes, kPlanes, state.width(), state.height(), symmetry);
    show_stones(state, 0, out);
    show_moves(state, past.recent, 2, 1, out);
    out.fill(3, state.stones() % 2 == 0 ? 1.0f : 0.0f);
}

const FeatureSet& GomokuV1::set() {
    static const FeatureSet set{
        .game = "gomoku",
        .name = "gomoku-v1",
        .planes = {"on_board",        "own",           "enemy",           "recent_1", "recent_2",       "recent_3",
                   "recent_4",        "black_to_move", "standard",        "renju",    "caro",           "exact_caro",
                   "forbidden",       "own_five",      "own_open_four",   "own_four", "own_open_three", "enemy_five",
                   "enemy_open_four", "enemy_four",    "enemy_open_three"},
        .globals = {},
        .recent = kRecent,
        .has_rules = true,
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = transform_cell,
    };
    return set;
}

template <int N>
void GomokuV1::encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float*) {
    Planes out(planes, kPlanes, state.width(), state.height(), symmetry);
    out.fill(0, 1);
    show_stones(state, 1, out);
    show_moves(state, past.recent, 3, kRecent, out);
    if (state.to_move() == 0) out.fill(kColour, 1);
    if (state.rule() != Rule::kFreestyle) out.fill(kRule + static_cast<int>(state.rule()) - 1, 1);
    show_lines(state, out);
}

#define TENGEN_INSTANTIATE(N)                                                                                \
    static_assert(FeatureEncoder<AlphaZeroGomokuV1, State<N>> && FeatureEncoder<GomokuV1, State<N>>);        \
    template void AlphaZeroGomokuV1::encode<N>(const State<N>&, const Past<State<N>>&, int, float*, float*); \
    template void GomokuV1::encode<N>(const State<N>&, const Past<State<N>>&, int, float*, float*);
TENGEN_INSTANTIATE(15)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::gomoku
