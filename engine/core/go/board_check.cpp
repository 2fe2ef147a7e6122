// Board::inconsistency: the incremental data of a board against its stones.
#include "core/go/board.hpp"
#include "core/go/regions.hpp"

namespace tengen::go {
namespace {

template <int N>
bool same_neighbourhood(const Board<N>& board, int p) {
    for (int i = 0; i < 8; ++i)
        if (static_cast<int>(board.neighbourhood(p) >> (2 * i) & 3) != board.stone(p + Board<N>::kDelta[i]))
            return false;
    return true;
}

// Whether the circular list through p visits exactly `chain`, all with p's head.
template <int N>
bool same_chain(const Board<N>& board, int p, const PointList<N>& chain) {
    int length = 0, q = p;
    do {
        if (!chain.contains(q) || board.head(q) != board.head(p)) return false;
        q = board.next(q);
    } while (q != p && ++length <= chain.size);
    return length + 1 == chain.size && board.chain_stones(p) == chain.size && chain.contains(board.head(p));
}

}  // namespace

template <int N>
const char* Board<N>::inconsistency() const {
    std::uint64_t key = 0;
    int empty = 0;
    const char* error = nullptr;
    PointMap<N> seen{};
    for_each_point(*this, [&](int p) {
        if (!same_neighbourhood(*this, p)) error = "neighbourhood code";
        if (stone_[p] == kEmpty) {
            ++empty;
            if (head_[p] != 0) error = "head of an empty point";
            if (empty_index_[p] >= empty_count_ || empty_[empty_index_[p]] != p) error = "list of empty points";
            return;
        }
        key ^= zobrist(row(p), column(p), stone_[p]);
        if (seen[p]) return;
        Chain fresh{0, 0, 0, 0};
        PointList<N> chain, liberties;
        flood(p, chain, seen, [&](int q) { return stone_[q] == stone_[p]; });
        for (int q : chain)
            for (int i = 0; i < 4; ++i) {
                const int at = q + kDelta[i];
                if (stone_[at] != kEmpty) continue;
                ++fresh.pseudo_liberties;
                fresh.sum += static_cast<std::uint32_t>(at);
                fresh.sum_squares += static_cast<std::uint32_t>(at * at);
                if (!liberties.contains(at)) liberties.add(at);
            }
        const Chain& kept = chain_[head_[p]];
        if (!same_chain(*this, p, chain)) error = "chain";
        if (kept.pseudo_liberties != fresh.pseudo_liberties || kept.sum != fresh.sum ||
            kept.sum_squares != fresh.sum_squares)
            error = "pseudo-liberties";
        if (liberties.size == 0)
            error = "chain without liberties";
        else if (in_atari(p) != (liberties.size == 1))
            error = "atari";
        if (count_liberties(p, kCells) != liberties.size) error = "liberties";
    });
    if (empty != empty_count_) error = "number of empty points";
    if (key != key_) error = "key";
    if (ko_ != 0 && (stone_[ko_] != kEmpty || !is_capture(ko_, ko_stone_))) error = "ko";
    return error;
}

template const char* Board<9>::inconsistency() const;
template const char* Board<13>::inconsistency() const;
template const char* Board<19>::inconsistency() const;
template const char* Board<25>::inconsistency() const;

}  // namespace tengen::go
