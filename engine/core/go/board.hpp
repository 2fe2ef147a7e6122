// The Go board: stones, chains with pseudo-liberties, captures and simple ko, built for playouts.
//
// Board<N> holds any board of up to N x N points, padded with a wall, so that a 9x9 game copies under 2 kB.
// A chain keeps the count, sum and sum of squares of its pseudo-liberties (a liberty counts once per adjacent
// stone), which tells in O(1) whether all of them are one point: the chain is in atari (Libego, Lew 2010).
// Not here: whose turn it is, passes, rules, repetition (state.hpp), scoring (score.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/go/neighbourhood.hpp"

namespace tengen::go {

constexpr int kMaxSize = 25;

// Zobrist key of a stone at (row, column): the same for every capacity N.
std::uint64_t zobrist(int row, int column, int stone);

template <int N>
class Board {
public:
    static constexpr int kStride = N + 1;
    static constexpr int kPoints = (N + 2) * (N + 1) + 1;
    static constexpr int kCells = N * N;
    static constexpr int kNone = 0;  // a wall point: "no point", and the pass in native moves
    using Index = std::conditional_t<(kPoints <= 256), std::uint8_t, std::uint16_t>;

    // Up, right, down, left, then the diagonals up-right, down-right, down-left, up-left.
    static constexpr std::array<int, 8> kDelta = {-kStride,     1,           kStride,     -1,
                                                  -kStride + 1, kStride + 1, kStride - 1, -kStride - 1};

    struct Chain {
        std::uint32_t sum_squares, sum;
        std::uint16_t pseudo_liberties, stones;
    };

    Board(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    int cells() const { return width_ * height_; }
    static constexpr int point(int row, int column) { return (row + 1) * kStride + column + 1; }
    static constexpr int row(int p) { return p / kStride - 1; }
    static constexpr int column(int p) { return p % kStride - 1; }
    int cell(int p) const { return row(p) * width_ + column(p); }
    int point_of_cell(int c) const { return point(c / width_, c % width_); }

    int stone(int p) const { return stone_[p]; }
    unsigned neighbourhood(int p) const { return code_[p]; }
    int head(int p) const { return head_[p]; }  // of the chain at p; 0 when there is none
    int next(int p) const { return next_[p]; }  // circular list of the chain's stones
    int chain_stones(int p) const { return chain_[head_[p]].stones; }
    int ko() const { return ko_; }  // point forbidden to ko_stone(), or kNone
    int ko_stone() const { return ko_stone_; }
    void clear_ko() { ko_ = kNone; }
    void set_ko(int p, int stone) {
        ko_ = p;
        ko_stone_ = stone;
    }
    int captured(int stone) const { return captured_[stone - 1]; }  // stones of that colour taken off so far
    void set_captured(int stone, int count) { captured_[stone - 1] = count; }
    std::uint64_t key() const { return key_; }
    int empty_count() const { return empty_count_; }
    int empty_at(int i) const { return empty_[i]; }

    bool in_atari(int p) const {
        const Chain& c = chain_[head_[p]];
        return static_cast<std::uint64_t>(c.pseudo_liberties) * c.sum_squares ==
               static_cast<std::uint64_t>(c.sum) * c.sum;
    }
    // The one liberty of a chain in atari.
    int atari_liberty(int p) const {
        const Chain& c = chain_[head_[p]];
        return static_cast<int>(c.sum / c.pseudo_liberties);
    }
    // Writes up to `most` distinct liberties of the chain at p; returns how many were written.
    int liberties(int p, int* out, int most) const;
    // Distinct liberties of the chain at p, counted up to `most`.
    int count_liberties(int p, int most) const {
        int buffer[kCells];
        return liberties(p, buffer, most);
    }

    bool is_playout_eye(int p, int stone) const { return kNeighbourhood.playout_eye(code_[p], stone); }

    // Whether a stone at the empty point p would leave its own chain without liberties.
    bool is_suicide(int p, int stone) const {
        if (kNeighbourhood.has_empty(code_[p])) return false;
        for (int i = 0; i < 4; ++i) {
            const int q = p + kDelta[i], s = stone_[q];
            if (s != kWall && (s == stone) != in_atari(q)) return false;
        }
        return true;
    }
    bool is_multi_stone_suicide(int p, int stone) const {
        if (!is_suicide(p, stone)) return false;
        for (int i = 0; i < 4; ++i)
            if (stone_[p + kDelta[i]] == stone) return true;
        return false;
    }
    bool is_ko(int p, int stone) const { return p == ko_ && stone == ko_stone_; }
    // Legal where suicide is forbidden; p must be on the board or kNone is answered false.
    bool is_legal(int p, int stone) const { return stone_[p] == kEmpty && !is_ko(p, stone) && !is_suicide(p, stone); }
    bool is_capture(int p, int stone) const {
        for (int i = 0; i < 4; ++i) {
            const int q = p + kDelta[i];
            if (stone_[q] == 3 - stone && in_atari(q)) return true;
        }
        return false;
    }
    // Key after a legal play of `stone` at p, without playing it (suicide included).
    std::uint64_t key_after(int p, int stone) const;

    // Play at an empty point. Only emptiness is assumed; a chain left without liberties (suicide) is removed.
    void play(int p, int stone);

    // Set-up: put or take one stone without captures; a put chain may be left without liberties.
    void put(int p, int stone) { place(p, stone, false); }

    // Number of liberties a chain would have after `stone` is played at p, counted up to `most`; -> own chain.
    int liberties_after(int p, int stone, int most) const;

    // Compare everything kept incrementally with a recomputation: what differs, or nullptr. For tests; slow.
    const char* inconsistency() const;

private:
    void place(int p, int stone, bool captures);
    void merge(int a, int b);
    int remove_chain(int p);

    std::array<std::uint8_t, kPoints> stone_;
    std::array<Index, kPoints> head_, next_, empty_index_;
    std::array<std::uint16_t, kPoints> code_;
    std::array<Chain, kPoints> chain_;  // at heads; entry 0 takes the updates of walls and empty points
    std::array<Index, kCells> empty_;
    std::uint64_t key_ = 0;
    std::array<int, 2> captured_{};
    std::uint16_t ko_ = 0;
    std::uint16_t empty_count_ = 0;
    std::uint8_t ko_stone_ = 0, width_, height_;

    static const std::array<std::array<std::uint64_t, kPoints>, 2> kKeys;
};

template <int N>
inline void Board<N>::merge(int a, int b) {  // heads; b's stones join a
    Chain &keep = chain_[a], &gone = chain_[b];
    keep.pseudo_liberties += gone.pseudo_liberties;
    keep.sum += gone.sum;
    keep.sum_squares += gone.sum_squares;
    keep.stones += gone.stones;
    int p = b;
    do {
        head_[p] = static_cast<Index>(a);
        p = next_[p];
    } while (p != b);
    const Index t = next_[a];
    next_[a] = next_[b];
    next_[b] = t;
}

template <int N>
inline int Board<N>::remove_chain(int start) {
    const int s = stone_[start];
    int p = start, count = 0;
    do {
        stone_[p] = kEmpty;
        key_ ^= kKeys[s - 1][p];
        empty_index_[p] = static_cast<Index>(empty_count_);
        empty_[empty_count_++] = static_cast<Index>(p);
        for (int i = 0; i < 8; ++i) code_[p - kDelta[i]] -= static_cast<std::uint16_t>(s << (2 * i));
        for (int i = 0; i < 4; ++i) {
            Chain& c = chain_[head_[p + kDelta[i]]];
            ++c.pseudo_liberties;
            c.sum += p;
            c.sum_squares += static_cast<std::uint32_t>(p) * p;
        }
        ++count;
        p = next_[p];
    } while (p != start);
    do {
        head_[p] = 0;
        p = next_[p];
    } while (p != start);
    captured_[s - 1] += count;
    return count;
}

template <int N>
inline void Board<N>::place(int p, int s, bool captures) {
    const int enemy = 3 - s;
    stone_[p] = static_cast<std::uint8_t>(s);
    key_ ^= kKeys[s - 1][p];
    const Index last = empty_[--empty_count_], hole = empty_index_[p];
    empty_[hole] = last;
    empty_index_[last] = hole;
    for (int i = 0; i < 8; ++i) code_[p - kDelta[i]] += static_cast<std::uint16_t>(s << (2 * i));

    head_[p] = next_[p] = static_cast<Index>(p);
    Chain mine{0, 0, 0, 1};
    for (int i = 0; i < 4; ++i) {
        const int q = p + kDelta[i];
        const std::uint32_t is_empty = stone_[q] == kEmpty;
        mine.pseudo_liberties = static_cast<std::uint16_t>(mine.pseudo_liberties + is_empty);
        mine.sum += is_empty * q;
        mine.sum_squares += is_empty * q * q;
        Chain& c = chain_[head_[q]];
        --c.pseudo_liberties;
        c.sum -= p;
        c.sum_squares -= static_cast<std::uint32_t>(p) * p;
    }
    chain_[p] = mine;
    int captured = 0, captured_at = 0;
    for (int i = 0; i < 4; ++i) {
        const int q = p + kDelta[i];
        if (stone_[q] == s) {
            const int a = head_[p], b = head_[q];
            if (a != b) {
                if (chain_[a].stones >= chain_[b].stones)
                    merge(a, b);
                else
                    merge(b, a);
            }
        } else if (captures && stone_[q] == enemy && chain_[head_[q]].pseudo_liberties == 0) {
            captured += remove_chain(q);
            captured_at = q;
        }
    }
    const Chain& own = chain_[head_[p]];
    const bool ko = captured == 1 && own.stones == 1 && own.pseudo_liberties == 1;
    ko_ = static_cast<std::uint16_t>(ko ? captured_at : 0);
    ko_stone_ = static_cast<std::uint8_t>(enemy);
}

template <int N>
inline void Board<N>::play(int p, int s) {
    place(p, s, true);
    if (chain_[head_[p]].pseudo_liberties == 0) remove_chain(p);
}

extern template class Board<9>;
extern template class Board<13>;
extern template class Board<19>;
extern template class Board<25>;

}  // namespace tengen::go
