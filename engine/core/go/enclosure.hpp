// A small region enclosed by one colour, and how many eyes it is worth to the chains around it.
#pragma once

#include <algorithm>

#include "core/go/eyeshape.hpp"
#include "core/go/regions.hpp"

namespace tengen::go {

// The points connected to one point that hold no stone of the enclosing colour.
template <int N>
class Enclosure {
    using B = Board<N>;

public:
    static constexpr int kMost = 7;  // larger regions are not judged: they live or are open

    // p must not hold a stone of `wall`, the enclosing colour.
    Enclosure(const B& board, int p, int wall) : wall_(wall) {
        points_[size_++] = p;
        for (int i = 0; i < size_ && size_ <= kMost; ++i)
            for (int k = 0; k < 4; ++k) {
                const int q = points_[i] + B::kDelta[k];
                if (board.stone(q) == wall || board.stone(q) == kWall || contains(q)) continue;
                if (size_ <= kMost) points_[size_++] = q;
            }
        if (!is_small()) return;
        for (int i = 0; i < size_; ++i)
            for (int k = 0; k < 4; ++k) {
                const int q = points_[i] + B::kDelta[k];
                if (board.stone(q) == wall) add_chain(board.head(q));
            }
    }

    bool is_small() const { return size_ <= kMost; }
    int size() const { return size_; }
    int point(int i) const { return points_[i]; }
    bool contains(int q) const { return std::find(points_, points_ + size_, q) != points_ + size_; }
    int chains() const { return chains_; }
    int chain(int i) const { return chain_[i]; }  // a stone of each enclosing chain

    // Eyes that the region is worth to its owner, at most two, when the other side moves next on `now`,
    // where the owner holds `taken` inside it.
    int eyes(const B& now, int taken) const {
        bool seen[kMost + 1] = {};
        int count = 0;
        for (int i = 0; i < size_; ++i) {
            if (points_[i] == taken || seen[i]) continue;
            int part[kMost], length = 0;
            collect(i, taken, seen, part, length);
            count += part_eyes(now, part, length);
        }
        return std::min(count, 2);
    }

    // The same when the owner moves first on `board`: the best that any point of the region gives.
    int eyes_moving_first(const B& board) const {
        int best = 0;
        for (int i = 0; i < size_ && best < 2; ++i) {
            if (board.stone(points_[i]) != kEmpty || board.is_suicide(points_[i], wall_)) continue;
            B next = board;
            next.play(points_[i], wall_);
            best = std::max(best, eyes(next, points_[i]));
        }
        return best;
    }

    // One-point eyes outside the region that touch every enclosing chain.
    int shared_eyes(const B& board) const {
        int liberties[B::kCells], count = 0;
        const int all = chains_ ? board.liberties(chain_[0], liberties, B::kCells) : 0;
        for (int i = 0; i < all; ++i) {
            const int p = liberties[i];
            if (contains(p) || !surrounded(board, p) || is_false(board, p)) continue;
            int touching = 0;
            for (int c = 0; c < chains_; ++c) touching += touches(board, p, chain_[c]);
            count += touching == chains_;
        }
        return count;
    }

    // Distinct liberties of all the enclosing chains, counted up to `most` <= kMost.
    int liberties(const B& board, int most) const {
        int found[kMost + 1], count = 0;
        for (int c = 0; c < chains_; ++c) {
            int own[kMost + 1];
            const int n = board.liberties(chain_[c], own, most);
            for (int i = 0; i < n && count < most; ++i)
                if (std::find(found, found + count, own[i]) == found + count) found[count++] = own[i];
        }
        return count;
    }

private:
    void add_chain(int head) {
        if (std::find(chain_, chain_ + chains_, head) == chain_ + chains_) chain_[chains_++] = head;
    }

    void collect(int start, int taken, bool* seen, int* part, int& length) const {
        int stack[kMost + 1], top = 0;
        stack[top++] = start;
        seen[start] = true;
        while (top) {
            const int i = stack[--top];
            part[length++] = points_[i];
            for (int k = 0; k < size_; ++k) {
                if (seen[k] || points_[k] == taken || !adjacent(points_[i], points_[k])) continue;
                seen[k] = true;
                stack[top++] = k;
            }
        }
    }

    static bool adjacent(int a, int b) {
        return a - b == 1 || b - a == 1 || a - b == B::kStride || b - a == B::kStride;
    }

    int part_eyes(const B& now, const int* part, int length) const {
        if (length <= 2)  // the other side can throw in at a point that would be a false eye
            return std::none_of(part, part + length, [&](int p) { return is_false(now, p); });
        const EyeJudgement shape = judge_eye<N>(part, length);
        if (shape.shape == EyeShape::kLiving) return 2;
        if (shape.vital < 0 || now.stone(shape.vital) != kEmpty) return 1;
        return now.is_suicide(shape.vital, 3 - wall_) ? 2 : 1;
    }

    bool surrounded(const B& board, int p) const {
        for (int k = 0; k < 4; ++k)
            if (const int s = board.stone(p + B::kDelta[k]); s != wall_ && s != kWall) return false;
        return true;
    }

    static bool touches(const B& board, int p, int chain) {
        for (int k = 0; k < 4; ++k)
            if (board.head(p + B::kDelta[k]) != 0 && board.head(p + B::kDelta[k]) == board.head(chain)) return true;
        return false;
    }

    // Whether the diagonals make an eye at p false: two hostile ones, one at the edge; stones inside do not count.
    bool is_false(const B& board, int p) const {
        int hostile = 0;
        bool edge = false;
        for (int k = 4; k < 8; ++k) {
            const int q = p + B::kDelta[k];
            edge |= board.stone(q) == kWall;
            hostile += board.stone(q) == 3 - wall_ && !contains(q);
        }
        return hostile + edge >= 2;
    }

    int wall_, size_ = 0, chains_ = 0;
    int points_[kMost + 1];
    int chain_[4 * kMost];
};

}  // namespace tengen::go
