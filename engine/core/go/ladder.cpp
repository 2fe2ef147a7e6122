#include "core/go/ladder.hpp"

#include <algorithm>

#include "core/go/board_frame.hpp"

namespace tengen::go {
namespace {

// Distinct liberties at which `enemy` chains in atari beside the chain at p can be captured; -> how many.
template <int N>
int counter_captures(const Board<N>& board, int p, int* out, int most) {
    const int own = board.stone(p), enemy = 3 - own, start = board.head(p);
    int count = 0, s = start;
    do {
        for (int k = 0; k < 4; ++k) {
            const int q = s + Board<N>::kDelta[k];
            if (board.stone(q) != enemy || !board.in_atari(q)) continue;
            const int at = board.atari_liberty(q);
            if (count < most && std::find(out, out + count, at) == out + count && !board.is_ko(at, own))
                out[count++] = at;
        }
        s = board.next(s);
    } while (s != start);
    return count;
}

template <int N>
class Reader {
public:
    explicit Reader(int nodes) : nodes_(nodes) {}

    // The defender, whose chain at p is in atari, moves. True when the chain is lost.
    bool lost_in_atari(const Board<N>& board, int p) {
        const int own = board.stone(p);
        int moves[kMostCaptures + 1];
        const int captures = counter_captures(board, p, moves, kMostCaptures);
        const int extension = board.atari_liberty(p);
        int count = captures;
        if (std::find(moves, moves + captures, extension) == moves + captures) moves[count++] = extension;
        for (int i = 0; i < count; ++i) {
            if (!board.is_legal(moves[i], own)) continue;
            if (--nodes_ < 0 || Frame::depth() > kMostDepth) return false;
            const Frame next(board);
            next->play(moves[i], own);
            if (!lost_to_attack(*next, p)) return false;
        }
        return true;
    }

    // The attacker moves against the chain at p. True when the chain is lost.
    bool lost_to_attack(const Board<N>& board, int p) {
        int liberties[3];
        const int count = board.liberties(p, liberties, 3), attacker = 3 - board.stone(p);
        if (count > 2) return false;
        if (count == 1) return !board.is_ko(liberties[0], attacker);
        // The side with more room first: the defender would extend there.
        if (room(board, liberties[1]) > room(board, liberties[0])) std::swap(liberties[0], liberties[1]);
        return attack_at(board, p, liberties[0]) || attack_at(board, p, liberties[1]);
    }

    bool attack_at(const Board<N>& board, int p, int move) {
        const int attacker = 3 - board.stone(p);
        if (!board.is_legal(move, attacker) || --nodes_ < 0) return false;
        const Frame next(board);
        next->play(move, attacker);
        return lost_in_atari(*next, p);
    }

private:
    static constexpr int kMostCaptures = 16;
    static constexpr std::size_t kMostDepth = 2 * Board<N>::kCells;

    using Frame = BoardFrame<N>;

    static int room(const Board<N>& board, int p) {
        int empty = 0;
        for (int k = 0; k < 4; ++k) empty += board.stone(p + Board<N>::kDelta[k]) == kEmpty;
        return empty;
    }

    int nodes_;
};

}  // namespace

template <int N>
bool is_captured_in_atari(const Board<N>& board, int p, int nodes) {
    return Reader<N>(nodes).lost_in_atari(board, p);
}

template <int N>
bool is_ladder(const Board<N>& board, int p, int nodes) {
    Reader<N> reader(nodes);
    return board.in_atari(p) ? reader.lost_in_atari(board, p) : reader.lost_to_attack(board, p);
}

template <int N>
LadderStart start_ladder(const Board<N>& board, int p, int move, int nodes) {
    int liberties[3];
    if (board.liberties(p, liberties, 3) != 2 || (move != liberties[0] && move != liberties[1]))
        return LadderStart::kFails;
    if (!Reader<N>(nodes).attack_at(board, p, move)) return LadderStart::kFails;
    const int own = board.stone(p), other = liberties[move == liberties[0]];
    Board<N> next = board;
    next.play(move, 3 - own);
    if (!next.is_legal(other, own)) return LadderStart::kTrivial;
    next.play(other, own);
    return next.count_liberties(p, 2) < 2 ? LadderStart::kTrivial : LadderStart::kLadder;
}

template <int N>
bool can_countercapture(const Board<N>& board, int p) {
    const int own = board.stone(p);
    int moves[Board<N>::kCells];
    const int count = counter_captures(board, p, moves, Board<N>::kCells);
    return std::any_of(moves, moves + count, [&](int move) {
        Board<N> next = board;
        next.play(move, own);
        return !next.in_atari(p) && !next.in_atari(move);  // else it is a snapback or a ko
    });
}

#define TENGEN_INSTANTIATE(N)                                             \
    template bool is_ladder<N>(const Board<N>&, int, int);                \
    template bool is_captured_in_atari<N>(const Board<N>&, int, int);     \
    template LadderStart start_ladder<N>(const Board<N>&, int, int, int); \
    template bool can_countercapture<N>(const Board<N>&, int);
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
