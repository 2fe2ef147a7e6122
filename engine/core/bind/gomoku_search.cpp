// GomokuMcts, and what benchmarks and rule checks count: gomoku_playouts and gomoku_perft, with the GIL released.
#include <tuple>

#include "core/bind/gomoku_common.hpp"
#include "core/bind/search_binding.hpp"
#include "core/gomoku/family.hpp"
#include "core/gomoku/uniform.hpp"

namespace tengen::bind {
namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> playouts(int width, int height, std::int64_t n, std::uint64_t seed,
                                                              const std::string& rule) {
    const GomokuState root = make_gomoku(width, height, rule);
    nb::gil_scoped_release release;
    std::int64_t moves = 0, wins = 0, draws = 0;
    gomoku::with_capacity(width, height, [&](auto capacity) {
        const gomoku::State<capacity()> empty(root);
        const gomoku::Empties<capacity()> cells(empty);
        Random random(seed);
        for (std::int64_t i = 0; i < n; ++i) {
            auto state = empty;
            gomoku::uniform_playout(state, cells, random);
            wins += state.winner() == 0;
            draws += state.winner() < 0;
            moves += state.stones();
        }
    });
    return {moves, wins, draws};
}

template <int N>
std::int64_t count_leaves(const gomoku::State<N>& state, int depth) {
    if (depth == 0 || state.is_terminal()) return 1;
    std::array<int, N * N> moves;
    const int count = state.candidate_moves(moves.data());
    if (depth == 1) return count;
    std::int64_t leaves = 0;
    for (int i = 0; i < count; ++i) {
        auto next = state;
        next.play(moves[static_cast<std::size_t>(i)]);
        leaves += count_leaves(next, depth - 1);
    }
    return leaves;
}

std::int64_t perft(const GomokuState& state, int depth) {
    if (depth < 0) throw nb::value_error("depth is negative");
    nb::gil_scoped_release release;
    return gomoku::with_capacity(state.width(), state.height(),
                                 [&](auto capacity) { return count_leaves(gomoku::State<capacity()>(state), depth); });
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind::bind_gomoku_search(nb::module_& module) {
    module.def(
        "gomoku_playouts", &playouts, nb::arg("width"), nb::arg("height"), nb::arg("n"), nb::arg("seed"),
        nb::arg("rule") = "freestyle",
        "Play n uniform random games from the empty board; -> (total moves, games Black won, draws). One thread.");
    module.def("gomoku_perft", &perft, nb::arg("state"), nb::arg("depth"),
               "Leaves of the game tree at this depth; a finished game is one leaf.");
    bind_search<gomoku::Family>(module, "GomokuMcts");
}
