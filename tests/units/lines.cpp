// Gomoku's LineBoard and its searches of threats: what does not hold of the board after plays and undoes, what the searches
// find, which cells could stop that, and whether a replay holds.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/gomoku/search_position.hpp"

namespace nb = nanobind;
using namespace tengen::gomoku;

namespace {

State<kLargest> position(int width, int height, int rule, const nb::bytes& stones, int to_move) {
    State<kLargest> state(width, height, static_cast<Rule>(rule));
    for (int dense = 0; dense < state.cells(); ++dense)
        if (const int stone = static_cast<unsigned char>(stones.c_str()[dense]))
            state.put(state.from_dense(dense), stone - 1);
    state.finish(-1, state.stones(), to_move);
    return state;
}

// Plays the moves and undoes them one by one; after each the board must equal one made anew. Returns what does not hold,
// "" when all does.
template <int N>
std::string walk_on(const State<kLargest>& start, const std::vector<int>& moves) {
    using Board = LineBoard<N>;
    Board board(start);
    std::vector<typename Board::Undo> undos(moves.size());
    const auto fault = [&](const char* when, std::size_t i) {
        const char* found = board.inconsistency();
        return found ? std::string(found) + when + std::to_string(i) : std::string();
    };
    for (std::size_t i = 0; i < moves.size(); ++i) {
        board.play(board.from_dense(moves[i]), undos[i]);
        if (const auto found = fault(" after move ", i); !found.empty()) return found;
    }
    const Board copy = board;
    for (std::size_t i = moves.size(); i-- > 0;) {
        board.undo(board.from_dense(moves[i]), undos[i]);
        if (const auto found = fault(" before move ", i); !found.empty()) return found;
    }
    return copy.inconsistency() ? "the copy" : "";
}

std::string walk(int width, int height, int rule, const nb::bytes& stones, int to_move, const std::vector<int>& moves) {
    const auto start = position(width, height, rule, stones, to_move);
    return with_capacity(width, height,
                         [&](auto capacity) { return walk_on<decltype(capacity)::value>(start, moves); });
}

// The move by which the side to move wins by fours and in how many plies, -1 and 0: not found; then the cells that could
// stop it, unless it depends on more.
using Fours = std::pair<std::pair<int, int>, std::optional<std::vector<int>>>;
Fours fours(int width, int height, int rule, const nb::bytes& stones, int to_move, int positions) {
    const auto start = position(width, height, rule, stones, to_move);
    return with_capacity(width, height, [&](auto capacity) -> Fours {
        LineBoard<decltype(capacity)::value> board(start);
        Vcf<decltype(capacity)::value> search;
        const int plies = search.solve(board, positions);
        if (!plies) return {{-1, 0}, std::nullopt};
        const int move = board.to_dense(search.move());
        typename decltype(board)::Cells cells;
        if (!search.refutations(board, cells)) return {{move, plies}, std::nullopt};
        std::vector<int> out;
        cells.any([&](int cell) {
            out.push_back(board.to_dense(cell));
            return false;
        });
        return {{move, plies}, out};
    });
}

// The move by which the side to move wins by threats and in how many plies, -1 and 0: not found; whether a replay holds; the
// positions looked at, until the search was told to stop after `most`.
using Threats = std::pair<std::pair<int, int>, std::pair<bool, int>>;
Threats threats(int width, int height, int rule, const nb::bytes& stones, int to_move, int positions, int most) {
    const auto start = position(width, height, rule, stones, to_move);
    return with_capacity(width, height, [&](auto capacity) -> Threats {
        LineBoard<decltype(capacity)::value> board(start);
        Vcf<decltype(capacity)::value> fours;
        Vct<decltype(capacity)::value> search;
        std::uint64_t seen = 0;
        const auto is_over = [&](std::uint64_t more) {
            seen += more;
            return seen >= static_cast<std::uint64_t>(most);
        };
        const int plies = search.solve(board, fours, positions, is_over);
        const int looked = static_cast<int>(seen);
        if (!plies) return {{-1, 0}, {false, looked}};
        const int move = board.to_dense(search.move());
        seen = 0;
        const bool holds = search.replay(board, fours, 1'000'000, is_over);
        if (board.inconsistency()) return {{-1, -1}, {false, looked}};
        return {{move, plies}, {holds, looked}};
    });
}

// The patterns of a window of eleven cells, the centre in the middle: black's and White's. A cell beyond the edge is in both.
std::pair<int, int> patterns(int rule, unsigned black, unsigned white) {
    const unsigned found = pattern_table(static_cast<Rule>(rule))(black, white);
    return {static_cast<int>(found & 15), static_cast<int>(found >> 4)};
}

}  // namespace

void bind_lines(nb::module_& module) {
    module.def("line_board_fault", &walk, nb::arg("width"), nb::arg("height"), nb::arg("rule"), nb::arg("stones"),
               nb::arg("to_move"), nb::arg("moves"));
    module.def("vcf", &fours, nb::arg("width"), nb::arg("height"), nb::arg("rule"), nb::arg("stones"),
               nb::arg("to_move"), nb::arg("positions"));
    module.def("vct", &threats, nb::arg("width"), nb::arg("height"), nb::arg("rule"), nb::arg("stones"),
               nb::arg("to_move"), nb::arg("positions"), nb::arg("most"));
    module.def("line_patterns", &patterns, nb::arg("rule"), nb::arg("black"), nb::arg("white"));
}
