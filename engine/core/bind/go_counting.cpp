// go_playouts and go_perft: what benchmarks and rule checks count, with the GIL released.
#include <tuple>

#include <nanobind/stl/tuple.h>

#include "core/bind/go_state.hpp"
#include "core/go/capacity.hpp"
#include "core/go/playout.hpp"

namespace tengen::bind {
namespace {

std::tuple<std::int64_t, std::int64_t> playouts(int width, int height, float komi, std::int64_t n, std::uint64_t seed) {
    check_size(width, height);
    nb::gil_scoped_release release;
    std::int64_t moves = 0, wins = 0;
    go::with_capacity(width, height, [&](auto capacity) {
        const go::State<capacity()> empty(width, height, go::Rules{}, komi);
        Random random(seed);
        for (std::int64_t i = 0; i < n; ++i) {
            auto state = empty;
            wins += static_cast<float>(go::uniform_playout(state, random)) > komi;
            moves += state.move_number();
        }
    });
    return {moves, wins};
}

template <int N>
std::int64_t count_leaves(const go::State<N>& state, int depth) {
    if (depth == 0 || state.is_terminal()) return 1;
    std::int64_t count = 0;
    const auto& board = state.board();
    for (int i = -1; i < board.empty_count(); ++i) {
        const int move = i < 0 ? go::State<N>::kPass : board.empty_at(i);
        if (!state.is_legal(move)) continue;
        if (depth == 1) {
            ++count;
            continue;
        }
        auto next = state;
        next.play(move);
        count += count_leaves(next, depth - 1);
    }
    return count;
}

std::int64_t perft(const GoState& state, int depth) {
    if (depth < 0) throw nb::value_error("depth is negative");
    nb::gil_scoped_release release;
    std::int64_t count = 0;
    go::with_capacity(state.board().width(), state.board().height(),
                      [&](auto capacity) { count = count_leaves(go::State<capacity()>(state), depth); });
    return count;
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind::bind_go_counting(nb::module_& module) {
    module.def("go_playouts", &playouts, nb::arg("width"), nb::arg("height"), nb::arg("komi"), nb::arg("n"),
               nb::arg("seed"),
               "Play n uniform random games from the empty board; -> (total moves, games Black won). One thread.");
    module.def(
        "go_perft", &perft, nb::arg("state"), nb::arg("depth"),
        "Leaves of the game tree at this depth: the pass is a move, two passes end a line, superko is not applied.");
}
