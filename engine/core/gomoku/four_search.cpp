#include "core/gomoku/four_search.hpp"

#include "core/gomoku/tactics.hpp"

namespace tengen::gomoku {
namespace {

// A position at first sight: the move that wins at once, the one that must be played, whether there are fours to try.
struct Sight {
    int win = -1, forced = -1;
    bool has_fours = false;
};

template <template <int> class Board, int N>
Sight look(const Board<N>& board) {
    const int me = board.to_move(), enemy = me ^ 1;
    const auto& wins = board.cells_with(Threat::kFive, me);
    if (!wins.is_empty()) return {wins.first()};
    if (const auto& fives = board.cells_with(Threat::kFive, enemy); !fives.is_empty()) {
        const int five = fives.first();
        const bool can_go_on = fives.size() == 1 && !is_caro(board.rule()) && makes_four(board, five, me);
        return {-1, five, can_go_on && board.is_allowed(five, me)};
    }
    if (const auto& open = board.cells_with(Threat::kOpenFour, me); !open.is_empty()) return {open.first()};
    bool has_fours = false;
    for (Threat threat : {Threat::kFour, Threat::kFourThree, Threat::kSuspect})
        has_fours |= !board.cells_with(threat, me).is_empty();
    return {-1, -1, has_fours};
}

}  // namespace

template <int N>
int FourSearch<N>::winning_move(const TacticalState<N>& state, int positions) {
    if (table_.empty()) table_.resize(1 << 12);
    left_ = positions;
    if (const Sight sight = look(state); !sight.has_fours) return sight.win;
    FourBoard<N> board(state, state.to_move());
    return solve(board, 0);
}

// The side to move attacks.
template <int N>
int FourSearch<N>::solve(FourBoard<N>& board, int depth) {
    const Sight sight = look(board);
    if (!sight.has_fours) return sight.win;
    if (depth >= kMaxDepth || --left_ < 0) return -1;
    const std::uint64_t key = board.state_key();
    Entry& entry = table_[key & (table_.size() - 1)];
    if (entry.key == key) return entry.move;
    CellList<N> fours;
    if (sight.forced >= 0)
        fours.add(sight.forced);
    else
        add_fours(board, board.to_move(), fours);
    int found = -1;
    for (int i = 0; i < fours.size() && found < 0 && left_ >= 0; ++i)
        if (wins_after(board, fours[i], depth)) found = fours[i];
    if (found >= 0 || left_ >= 0) entry = {key, found};
    return found;
}

// Whether the four on this cell wins whatever the answer.
template <int N>
bool FourSearch<N>::wins_after(FourBoard<N>& board, int four, int depth) {
    typename FourBoard<N>::Step step;
    board.play(four, step);
    const bool wins = answers_lose(board, depth);
    board.undo(step);
    return wins;
}

// Whether the side to move is threatened by a five and loses whatever it does.
template <int N>
bool FourSearch<N>::answers_lose(FourBoard<N>& board, int depth) {
    const int me = board.to_move(), attacker = me ^ 1;
    if (!board.has(Threat::kFive, attacker) || board.has(Threat::kFive, me)) return false;
    CellList<N> blocks;
    add_five_blocks(board, me, blocks);
    for (int i = 0; i < blocks.size(); ++i) {
        typename FourBoard<N>::Step step;
        board.play(blocks[i], step);
        const bool loses = solve(board, depth + 1) >= 0;
        board.undo(step);
        if (!loses) return false;
    }
    return true;
}

template class FourSearch<15>;
template class FourSearch<25>;

}  // namespace tengen::gomoku
