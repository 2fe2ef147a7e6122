#include "core/go/clevergo.hpp"

#include "core/go/policy.hpp"
#include "core/planes.hpp"

namespace tengen::go {

namespace {

// One of the family.
struct Options {
    int steps;
    bool is_separated, has_last;
    int boards() const { return is_separated ? 2 * steps : steps; }
    int stride() const { return is_separated ? 2 : 1; }  // plies from one board to the next
    int planes() const { return boards() + 1 + has_last; }
};

FeatureSet set_of(const Options& options) {
    std::string name = "clevergo-v1";
    if (options.steps != 4) name += "-" + std::to_string(options.steps);
    if (!options.is_separated) name += "-merged";
    if (!options.has_last) name += "-nolast";
    std::vector<std::string> planes;
    const auto add = [&](const std::string& what) {
        for (int i = 0; i < options.steps; ++i) planes.push_back(what + "_" + std::to_string(i));
    };
    if (options.is_separated) {
        add("own");
        add("enemy");
    } else {
        add("stones");
    }
    planes.push_back("white_to_move");
    if (options.has_last) planes.push_back("recent_1");
    return {
        .game = "go",
        .name = name,
        .planes = planes,
        .globals = {},
        .recent = options.has_last ? 1 : 0,
        .earlier = options.stride() * (options.steps - 1),
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = policy_index,
    };
}

// The stones of one board as number `step` of the past, own ones being those of colour `own`.
template <int N>
void show_board(const State<N>& state, const Options& options, int step, int own, Planes& out) {
    const auto& board = state.board();
    for (int cell = 0; cell < state.cells(); ++cell) {
        const int stone = board.stone(board.point_of_cell(cell));
        if (stone == kEmpty) continue;
        const bool is_own = stone == own;
        if (options.is_separated)
            out.set(is_own ? step : options.steps + step, cell);
        else
            out.set(step, cell, is_own ? 1.0f : -1.0f);
    }
}

template <int N>
void write(const Options& options, const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes) {
    Planes out(planes, options.planes(), state.width(), state.height(), symmetry);
    const int known = static_cast<int>(past.earlier.size()), own = state.stone_to_move();
    show_board(state, options, 0, own, out);
    for (int step = 1; step < options.steps && step * options.stride() <= known; ++step)
        show_board(*past.earlier[static_cast<std::size_t>(known - step * options.stride())], options, step, own, out);
    if (state.to_move() == 1) out.fill(options.boards(), 1);
    if (options.has_last && !past.recent.empty() && past.recent.back() > 0)
        out.set(options.boards() + 1, state.to_dense(past.recent.back()));
}

}  // namespace

template <int Steps, bool IsSeparated, bool HasLast>
const FeatureSet& CleverGo<Steps, IsSeparated, HasLast>::set() {
    static const FeatureSet set = set_of({Steps, IsSeparated, HasLast});
    return set;
}

template <int Steps, bool IsSeparated, bool HasLast>
template <int N>
void CleverGo<Steps, IsSeparated, HasLast>::encode(const State<N>& state, const Past<State<N>>& past, int symmetry,
                                                   float* planes, float*) {
    write({Steps, IsSeparated, HasLast}, state, past, symmetry, planes);
}

template <int N>
std::span<const Encoder<State<N>>> clevergo_encoders() {
    using S = State<N>;
    static const auto all = [] {
        std::vector<Encoder<S>> out;
        const auto add = [&]<int Steps>(std::integral_constant<int, Steps>) {
            out.push_back(encoder_of<CleverGo<Steps, true, true>, S>());
            out.push_back(encoder_of<CleverGo<Steps, true, false>, S>());
            out.push_back(encoder_of<CleverGo<Steps, false, true>, S>());
            out.push_back(encoder_of<CleverGo<Steps, false, false>, S>());
        };
        add(std::integral_constant<int, 4>());
        add(std::integral_constant<int, 1>());
        add(std::integral_constant<int, 2>());
        add(std::integral_constant<int, 8>());
        return out;
    }();
    return all;
}

#define TENGEN_INSTANTIATE(N)                                                                         \
    static_assert(FeatureEncoder<CleverGoV1, State<N>>);                                              \
    template void CleverGoV1::encode<N>(const State<N>&, const Past<State<N>>&, int, float*, float*); \
    template std::span<const Encoder<State<N>>> clevergo_encoders<N>();
template struct CleverGo<4, true, true>;
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
