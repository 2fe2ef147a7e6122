// Playouts of the tactical evaluator.
#include "core/go/pattern3.hpp"
#include "core/go/tactical.hpp"
#include "core/go/tactics.hpp"

namespace tengen::go {

// Ways to save the chain at `chain`, which is in atari: capture a neighbour in atari, or extend to two liberties.
template <int N>
void TacticalEvaluator<N>::add_escapes(const BoardType& board, int chain, int stone, Candidates& out) const {
    const int start = board.head(chain);
    int p = start;
    do {
        for (int i = 0; i < 4; ++i) {
            const int q = p + BoardType::kDelta[static_cast<std::size_t>(i)];
            if (board.stone(q) == 3 - stone && board.in_atari(q)) {
                const int liberty = board.atari_liberty(q);
                if (board.is_legal(liberty, stone)) out.add(liberty);
            }
        }
        p = board.next(p);
    } while (p != start);
    const int liberty = board.atari_liberty(chain);
    if (board.is_legal(liberty, stone) && !puts_itself_in_atari(board, liberty, stone)) out.add(liberty);
}

// Captures and escapes that the last move calls for.
template <int N>
void TacticalEvaluator<N>::add_captures(const BoardType& board, int last, int stone, Candidates& out) const {
    if (board.stone(last) == 3 - stone && board.in_atari(last)) {
        const int liberty = board.atari_liberty(last);
        if (board.is_legal(liberty, stone)) out.add(liberty);
    }
    for (int i = 0; i < 4; ++i) {
        const int q = last + BoardType::kDelta[static_cast<std::size_t>(i)];
        if (board.stone(q) == stone && board.in_atari(q)) add_escapes(board, q, stone, out);
    }
}

// Put the chain of the last move in atari where it has two liberties; kPass when it has not.
template <int N>
int TacticalEvaluator<N>::atari_move(const BoardType& board, int last, int stone, Random& random) const {
    if (board.stone(last) != 3 - stone) return BoardType::kNone;
    int liberties[3];
    if (board.liberties(last, liberties, 3) != 2) return BoardType::kNone;
    const unsigned first = random.below(2);
    for (unsigned k = 0; k < 2; ++k) {
        const int p = liberties[first ^ k];
        // Cheap ladder sense: after the atari the chain extends on the other liberty.
        if (board.is_legal(p, stone) && !puts_itself_in_atari(board, p, stone) &&
            liberties_if_played(board, liberties[first ^ k ^ 1], 3 - stone, 4) < 3)
            return p;
    }
    return BoardType::kNone;
}

template <int N>
int TacticalEvaluator<N>::pattern_move(const BoardType& board, int last, int last2, int stone, Random& random) const {
    Candidates found;
    for (int centre : {last, last2}) {
        if (centre == BoardType::kNone) continue;
        for (int delta : BoardType::kDelta) {
            const int p = centre + delta;
            if (board.stone(p) == kEmpty && kPattern3.matches(board.neighbourhood(p), stone) &&
                board.is_legal(p, stone) && !board.is_playout_eye(p, stone) && !puts_itself_in_atari(board, p, stone))
                found.add(p);
        }
        if (found.size) break;
    }
    return found.size ? found.points[random.below(static_cast<std::uint32_t>(found.size))] : BoardType::kNone;
}

template <int N>
bool TacticalEvaluator<N>::is_acceptable(const BoardType& board, int p, int stone, Random& random) const {
    if (board.is_playout_eye(p, stone) || !board.is_legal(p, stone)) return false;
    if (!puts_itself_in_atari(board, p, stone)) return true;
    const double reject = stones_if_played(board, p, stone) > 1 ? settings_.self_atari : settings_.throw_in;
    return random.uniform() >= reject;
}

template <int N>
int TacticalEvaluator<N>::random_sensible_move(const BoardType& board, int stone, Random& random) const {
    const std::uint32_t count = static_cast<std::uint32_t>(board.empty_count());
    if (count == 0) return BoardType::kNone;
    for (int tries = 0; tries < 6; ++tries) {
        const int p = board.empty_at(static_cast<int>(random.below(count)));
        if (is_acceptable(board, p, stone, random)) return p;
    }
    std::uint32_t at = random.below(count);
    for (std::uint32_t i = 0; i < count; ++i, at = at + 1 < count ? at + 1 : 0) {
        const int p = board.empty_at(static_cast<int>(at));
        if (is_acceptable(board, p, stone, random)) return p;
    }
    return BoardType::kNone;
}

template <int N>
int TacticalEvaluator<N>::playout_move(const State<N>& state, Random& random) const {
    const BoardType& board = state.board();
    const int stone = state.stone_to_move(), last = state.last_move();
    if (last != State<N>::kPass) {
        if (random.uniform() < settings_.capture) {
            Candidates found;
            add_captures(board, last, stone, found);
            if (found.size) return found.points[random.below(static_cast<std::uint32_t>(found.size))];
        }
        if (random.uniform() < settings_.nakade) {
            for (int i = 0; i < 4; ++i) {
                const int q = last + BoardType::kDelta[static_cast<std::size_t>(i)];
                if (board.stone(q) != kEmpty) continue;
                const int p = vital_point_of_three(board, q, 3 - stone);
                if (p && board.is_legal(p, stone)) return p;
            }
        }
        if (random.uniform() < settings_.atari)
            if (const int p = atari_move(board, last, stone, random)) return p;
        if (random.uniform() < settings_.pattern)
            if (const int p = pattern_move(board, last, state.last_move2(), stone, random)) return p;
    }
    return random_sensible_move(board, stone, random);
}

template <int N>
float TacticalEvaluator<N>::evaluate(State<N>& state, Random& random, Trace& trace) const {
    const int limit = 3 * state.cells();
    for (int moves = 0; moves < limit && !state.is_terminal(); ++moves) {
        const int p = playout_move(state, random);
        trace.add(p, state.to_move());
        state.play(p);
    }
    return static_cast<float>(playout_margin(state.board())) - state.komi();
}

template class TacticalEvaluator<9>;
template class TacticalEvaluator<13>;
template class TacticalEvaluator<19>;
template class TacticalEvaluator<25>;

}  // namespace tengen::go
