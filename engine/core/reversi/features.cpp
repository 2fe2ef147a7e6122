#include "core/reversi/features.hpp"

#include "core/planes.hpp"

namespace tengen::reversi {

namespace {

int policy_size(int width, int height) { return width * height + 1; }

int policy_index(int move, int width, int height, int symmetry) {
    return move == width * height ? move : transform_cell(move, width, height, symmetry);
}

void show(Bits bits, int plane, Planes& out) {
    for (; bits; bits &= bits - 1) out.set(plane, lowest(bits));
}

}  // namespace

const FeatureSet& ReversiV1::set() {
    static const FeatureSet set{
        .game = "reversi",
        .name = "reversi-v1",
        .planes = {"on_board", "own", "enemy", "legal", "enemy_legal", "own_frontier", "enemy_frontier", "recent_1",
                   "passed", "empty"},
        .globals = {},
        .recent = 1,
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = policy_index,
    };
    return set;
}

void ReversiV1::encode(const State& state, const Past<State>& past, int symmetry, float* planes, float*) {
    Planes out(planes, kPlanes, kSide, kSide, symmetry);
    State other = state;
    other.set_to_move(state.to_move() ^ 1);
    const Bits inner = neighbours(state.empty());
    const Bits shown[] = {state.own(),   state.enemy(),       state.moves(),
                          other.moves(), state.own() & inner, state.enemy() & inner};
    out.fill(0, 1);
    for (int i = 0; i < 6; ++i) show(shown[i], 1 + i, out);
    const int last = past.recent.empty() ? -1 : past.recent.back();
    if (last == State::kPass) out.fill(8, 1);
    if (last >= 0 && last < kCells) out.set(7, last);
    out.fill(9, static_cast<float>(count(state.empty())) / kCells);
}

static_assert(FeatureEncoder<ReversiV1, State>);

std::span<const Encoder<State>> encoders() {
    static const Encoder<State> all[] = {encoder_of<ReversiV1, State>()};
    return all;
}

}  // namespace tengen::reversi
