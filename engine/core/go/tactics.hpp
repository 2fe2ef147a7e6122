// Small exact answers about one move that playouts and priors ask all the time.
#pragma once

#include "core/go/board.hpp"

namespace tengen::go {

// Liberties of the chain that `stone` at the empty point p would form, counted up to most <= 8. A captured chain
// counts for the one point next to p.
template <int N>
inline int liberties_if_played(const Board<N>& board, int p, int stone, int most) {
    using B = Board<N>;
    int found[8], count = 0;
    const auto add = [&](int q) {
        for (int i = 0; i < count; ++i)
            if (found[i] == q) return;
        found[count++] = q;
    };
    for (int i = 0; i < 4 && count < most; ++i) {
        const int q = p + B::kDelta[i], s = board.stone(q);
        if (s == kEmpty || (s == 3 - stone && board.in_atari(q))) add(q);
    }
    for (int i = 0; i < 4 && count < most; ++i) {
        const int q = p + B::kDelta[i];
        if (board.stone(q) != stone || board.in_atari(q)) continue;
        const int start = board.head(q);
        int at = start;
        do {
            for (int k = 0; k < 4 && count < most; ++k) {
                const int l = at + B::kDelta[k];
                if (l != p && board.stone(l) == kEmpty) add(l);
            }
            at = board.next(at);
        } while (at != start && count < most);
    }
    return count;
}

// Stones of the chain that `stone` at p would form.
template <int N>
inline int stones_if_played(const Board<N>& board, int p, int stone) {
    int heads[4], count = 0, stones = 1;
    for (int i = 0; i < 4; ++i) {
        const int q = p + Board<N>::kDelta[i];
        if (board.stone(q) != stone) continue;
        bool known = false;
        for (int k = 0; k < count; ++k) known |= heads[k] == board.head(q);
        if (known) continue;
        heads[count++] = board.head(q);
        stones += board.chain_stones(q);
    }
    return stones;
}

// Whether the legal move leaves its chain with one liberty.
template <int N>
inline bool puts_itself_in_atari(const Board<N>& board, int p, int stone) {
    return liberties_if_played(board, p, stone, 2) < 2;
}

// The middle of an empty region of exactly three points around p that only `owner` stones enclose, or 0.
template <int N>
inline int vital_point_of_three(const Board<N>& board, int p, int owner) {
    using B = Board<N>;
    int region[4] = {p}, size = 1, middle = 0;
    for (int i = 0; i < size; ++i) {
        int inside = 0;
        for (int k = 0; k < 4; ++k) {
            const int q = region[i] + B::kDelta[k], s = board.stone(q);
            if (s == 3 - owner) return 0;
            if (s != kEmpty) continue;
            ++inside;
            bool known = false;
            for (int j = 0; j < size; ++j) known |= region[j] == q;
            if (known) continue;
            if (size == 3) return 0;
            region[size++] = q;
        }
        if (inside == 2) middle = region[i];
    }
    return size == 3 ? middle : 0;
}

}  // namespace tengen::go
