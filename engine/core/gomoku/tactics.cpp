#include "core/gomoku/tactics.hpp"

namespace tengen::gomoku {
namespace {

// Calls f(cell, offset) for the empty cells up to `reach` steps away in one direction.
template <int N, class F>
void for_line(const TacticalState<N>& state, int cell, int direction, int reach, F f) {
    using L = Lanes<N>;
    const Place place = L::place(state.width(), state.height(), cell, direction);
    for (int k = std::max(-reach, place.low - place.bit); k <= std::min(reach, place.high - 1 - place.bit); ++k) {
        const int at = cell + k * L::kStep[static_cast<std::size_t>(direction)];
        if (k != 0 && state.is_empty(at)) f(at, k);
    }
}

// In caro a five is also stopped by a stone at its end, so every cell near it is tried.
template <int N>
void add_caro_blocks(const TacticalState<N>& state, int colour, CellList<N>& out) {
    const auto& fives = state.cells_with(Threat::kFive, colour ^ 1);
    const auto stops = [&](int cell) {
        State<N> after = state;
        after.put(cell, colour);
        return !fives.any([&](int five) { return five != cell && after.is_win(five, colour ^ 1); });
    };
    const int five = fives.first();
    if (stops(five)) out.add(five);
    for (int direction = 0; direction < kDirections; ++direction)
        if (state.shape(five, colour ^ 1, direction) == Shape::kFive)
            for_line(state, five, direction, kReach, [&](int at, int) {
                if (stops(at)) out.add(at);
            });
}

}  // namespace

template <int N>
void add_five_blocks(const TacticalState<N>& state, int colour, CellList<N>& out) {
    if (is_caro(state.rule())) return add_caro_blocks(state, colour, out);
    if (state.count(Threat::kFive, colour ^ 1) > 1) return;
    const int five = state.cells_with(Threat::kFive, colour ^ 1).first();
    if (state.is_allowed(five, colour)) out.add(five);
}

template <int N>
void add_open_four_blocks(const TacticalState<N>& state, int colour, int cell, CellList<N>& out) {
    if (state.is_allowed(cell, colour)) out.add(cell);
    for (int direction = 0; direction < kDirections; ++direction) {
        const Shape shape = state.shape(cell, colour ^ 1, direction);
        if (!is_four(shape)) continue;
        const bool is_crossing = shape == Shape::kFour;  // one of two fours: any stone that ends it
        for_line(state, cell, direction, kReach, [&](int at, int offset) {
            if ((is_crossing || state.spoils(cell, colour ^ 1, direction, offset)) && state.is_allowed(at, colour))
                out.add(at);
        });
    }
}

template <int N>
void add_fours(const TacticalState<N>& state, int colour, CellList<N>& out) {
    for (Threat threat : {Threat::kOpenFour, Threat::kFourThree})
        state.cells_with(threat, colour).any([&](int cell) {
            out.add(cell);
            return false;
        });
    state.cells_with(Threat::kSuspect, colour).any([&](int cell) {
        if (state.makes_four(cell, colour) && state.is_allowed(cell, colour)) out.add(cell);
        return false;
    });
    state.cells_with(Threat::kFour, colour).any([&](int cell) {
        out.add(cell);
        return false;
    });
}

template <int N>
int FourSearch<N>::winning_move(const TacticalState<N>& state, int positions) {
    if (table_.empty()) table_.resize(1 << 12);
    left_ = positions;
    return solve(state, 0);
}

// The side to move attacks.
template <int N>
int FourSearch<N>::solve(const TacticalState<N>& state, int depth) {
    const int me = state.to_move(), enemy = me ^ 1;
    if (state.count(Threat::kFive, me)) return state.cells_with(Threat::kFive, me).first();
    int forced = -1;
    if (const int fives = state.count(Threat::kFive, enemy)) {
        if (fives > 1 || is_caro(state.rule())) return -1;
        forced = state.cells_with(Threat::kFive, enemy).first();
        if (!state.makes_four(forced, me) || !state.is_allowed(forced, me)) return -1;
    } else if (state.count(Threat::kOpenFour, me)) {
        return state.cells_with(Threat::kOpenFour, me).first();
    } else if (state.count(Threat::kFour, me) + state.count(Threat::kFourThree, me) +
                   state.count(Threat::kSuspect, me) ==
               0) {
        return -1;
    }
    if (depth >= kMaxDepth || --left_ < 0) return -1;
    const std::uint64_t key = state.state_key();
    Entry& entry = table_[key & (table_.size() - 1)];
    if (entry.key == key) return entry.move;
    int found = -1;
    if (forced >= 0) {
        if (wins_after(state, forced, depth)) found = forced;
    } else {
        CellList<N> fours;
        add_fours(state, me, fours);
        for (int i = 0; i < fours.size() && found < 0 && left_ >= 0; ++i)
            if (wins_after(state, fours[i], depth)) found = fours[i];
    }
    if (found >= 0 || left_ >= 0) entry = {key, found};
    return found;
}

// Whether the four on this cell wins whatever the answer.
template <int N>
bool FourSearch<N>::wins_after(const TacticalState<N>& state, int four, int depth) {
    const int me = state.to_move(), enemy = me ^ 1;
    TacticalState<N> next = state;
    next.play(four);
    if (!next.count(Threat::kFive, me) || next.count(Threat::kFive, enemy)) return false;
    CellList<N> blocks;
    add_five_blocks(next, enemy, blocks);
    for (int i = 0; i < blocks.size(); ++i) {
        TacticalState<N> after = next;
        after.play(blocks[i]);
        if (solve(after, depth + 1) < 0) return false;
    }
    return true;
}

#define TENGEN_GOMOKU_TACTICS(N)                                                            \
    template void add_five_blocks<N>(const TacticalState<N>&, int, CellList<N>&);           \
    template void add_open_four_blocks<N>(const TacticalState<N>&, int, int, CellList<N>&); \
    template void add_fours<N>(const TacticalState<N>&, int, CellList<N>&);                 \
    template class FourSearch<N>;
TENGEN_GOMOKU_TACTICS(15)
TENGEN_GOMOKU_TACTICS(25)

}  // namespace tengen::gomoku
