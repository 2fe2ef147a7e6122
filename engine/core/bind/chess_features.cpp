// Bindings of chess: features of networks, games that they play, and minimax of a fixed depth.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bind/bind.hpp"
#include "core/bind/encoding.hpp"
#include "core/bind/live_binding.hpp"
#include "core/bind/rows_binding.hpp"
#include "core/bind/selfplay_binding.hpp"
#include "core/chess/minimax.hpp"
#include "core/chess/tree.hpp"
#include "core/search/stop.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

using Lines = std::vector<std::tuple<int, int, std::vector<int>>>;

// Throws ValueError for a depth or a move that is none.
std::optional<std::pair<long long, Lines>> look(const chess::State& state, int depth, const std::vector<int>& moves,
                                                const search::StopToken* stop, double seconds) {
    using Clock = std::chrono::steady_clock;
    if (depth < 1 || depth > chess::minimax::kDeepest) throw nb::value_error("a depth is 1 to 12");
    for (const int move : moves)
        if (!state.is_legal(move)) throw nb::value_error("illegal move");
    const search::StopToken token = stop ? *stop : search::StopToken();
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    const auto is_stopped = [&] { return token.is_stopped() || (seconds > 0 && Clock::now() >= deadline); };
    const chess::Board board = state.board();
    const nb::gil_scoped_release release;
    auto found = chess::minimax::search(board, depth, moves, is_stopped);
    if (!found) return std::nullopt;
    Lines lines;
    for (auto& one : found->moves) lines.emplace_back(one.move, one.score, std::move(one.pv));
    return std::pair(found->nodes, std::move(lines));
}

}  // namespace

void bind_chess_features(nb::module_& module) {
    bind::add_sets<chess::Sets>(module);
    bind::bind_rows_of<chess::Sets>(module);
    auto type = nb::borrow<nb::class_<chess::State>>(nb::type<chess::State>());
    bind::bind_planes<chess::Sets>(type, chess::ChessV1::set().name.c_str());
    bind::bind_live<chess::LiveGame>(module, "ChessTree");
    bind::bind_selfplay<selfplay::Listed<chess::Sets>>(module, "ChessSelfPlay");
    module.attr("CHESS_MINIMAX_MATE") = chess::minimax::kMate;
    module.def(
        "chess_minimax", &look, nb::arg("state"), nb::arg("depth"), nb::arg("moves"),
        nb::arg("stop").none() = nb::none(), nb::arg("seconds") = 0.0,
        "(nodes, (move, score, line) of each of these moves) by minimax that looks so many plies ahead, scores for the\n"
        "side to move; a mate is 1,000,000 less the plies until it. None: it was stopped, or its seconds (0: no bound)\n"
        "were over. ValueError for a move that is not legal.");
    module.def(
        "chess_minimax_evaluation", [](const chess::State& state) { return chess::minimax::evaluate(state.board()); },
        nb::arg("state"), "What minimax says of a position, for the side to move (engine/core/chess/minimax.hpp).");
}

}  // namespace tengen
