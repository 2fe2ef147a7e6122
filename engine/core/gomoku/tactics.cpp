#include "core/gomoku/tactics.hpp"

#include "core/gomoku/four_board.hpp"
#include "core/gomoku/line_board.hpp"

namespace tengen::gomoku {
namespace {

// Calls f(cell, offset) for the empty cells up to `reach` steps away in one direction.
template <int N, class F>
void for_line(const State<N>& state, int cell, int direction, int reach, F f) {
    using L = Lanes<N>;
    const Place place = L::place(state.width(), state.height(), cell, direction);
    for (int k = std::max(-reach, place.low - place.bit); k <= std::min(reach, place.high - 1 - place.bit); ++k) {
        const int at = cell + k * L::kStep[static_cast<std::size_t>(direction)];
        if (k != 0 && state.is_empty(at)) f(at, k);
    }
}

// In caro a five is also stopped by a stone at its end, so every cell near it is tried.
template <template <int> class Board, int N>
void add_caro_blocks(const Board<N>& board, int colour, CellList<N>& out) {
    const auto& fives = board.cells_with(Threat::kFive, colour ^ 1);
    const auto stops = [&](int cell) {
        return !fives.any([&](int five) { return five != cell && board.is_win_despite(five, colour ^ 1, cell); });
    };
    const int five = fives.first();
    if (stops(five)) out.add(five);
    for (int direction = 0; direction < kDirections; ++direction)
        if (board.shape(five, colour ^ 1, direction) == Shape::kFive)
            for_line(board, five, direction, kReach, [&](int at, int) {
                if (stops(at)) out.add(at);
            });
}

}  // namespace

template <template <int> class Board, int N>
bool makes_four(const Board<N>& board, int cell, int colour) {
    for (int direction = 0; direction < kDirections; ++direction)
        if (is_four(board.shape(cell, colour, direction))) return true;
    return false;
}

template <template <int> class Board, int N>
void add_five_blocks(const Board<N>& board, int colour, CellList<N>& out) {
    if (is_caro(board.rule())) return add_caro_blocks(board, colour, out);
    const auto& fives = board.cells_with(Threat::kFive, colour ^ 1);
    if (fives.size() > 1) return;
    const int five = fives.first();
    if (board.is_allowed(five, colour)) out.add(five);
}

template <template <int> class Board, int N>
void add_open_four_blocks(const Board<N>& board, int colour, int cell, CellList<N>& out) {
    if (board.is_allowed(cell, colour)) out.add(cell);
    for (int direction = 0; direction < kDirections; ++direction) {
        const Shape shape = board.shape(cell, colour ^ 1, direction);
        if (!is_four(shape)) continue;
        const bool is_crossing = shape == Shape::kFour;  // one of two fours: any stone that ends it
        for_line(board, cell, direction, kReach, [&](int at, int offset) {
            if ((is_crossing || board.spoils(cell, colour ^ 1, direction, offset)) && board.is_allowed(at, colour))
                out.add(at);
        });
    }
}

template <template <int> class Board, int N>
void add_fours(const Board<N>& board, int colour, CellList<N>& out) {
    for (Threat threat : {Threat::kOpenFour, Threat::kFourThree})
        board.cells_with(threat, colour).any([&](int cell) {
            out.add(cell);
            return false;
        });
    board.cells_with(Threat::kSuspect, colour).any([&](int cell) {
        if (makes_four(board, cell, colour) && board.is_allowed(cell, colour)) out.add(cell);
        return false;
    });
    board.cells_with(Threat::kFour, colour).any([&](int cell) {
        out.add(cell);
        return false;
    });
}

#define TENGEN_GOMOKU_FOURS(Board, N)                                  \
    template void add_five_blocks(const Board<N>&, int, CellList<N>&); \
    template void add_fours(const Board<N>&, int, CellList<N>&);       \
    template bool makes_four(const Board<N>&, int, int);
#define TENGEN_GOMOKU_TACTICS(N)                                                         \
    TENGEN_GOMOKU_FOURS(FourBoard, N)                                                    \
    TENGEN_GOMOKU_FOURS(TacticalState, N)                                                \
    TENGEN_GOMOKU_FOURS(LineBoard, N)                                                    \
    template void add_open_four_blocks(const TacticalState<N>&, int, int, CellList<N>&); \
    template void add_open_four_blocks(const LineBoard<N>&, int, int, CellList<N>&);
TENGEN_GOMOKU_TACTICS(15)
TENGEN_GOMOKU_TACTICS(25)

}  // namespace tengen::gomoku
