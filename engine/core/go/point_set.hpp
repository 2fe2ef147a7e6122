// Sets of points as bits, for questions about whole regions at once: what touches a set, what is connected to it.
#pragma once

#include <array>
#include <cstdint>

#include "core/go/board.hpp"

namespace tengen::go {

template <int N>
class PointSet {
    static constexpr std::size_t kWords = (static_cast<std::size_t>(Board<N>::kPoints) + 63) / 64;

public:
    // The points of a board that hold such a stone, or nothing (kEmpty).
    static PointSet of(const Board<N>& board, int stone) {
        PointSet out;
        for (int row = 0; row < board.height(); ++row)
            for (int column = 0; column < board.width(); ++column) {
                const auto p = static_cast<std::size_t>(Board<N>::point(row, column));
                out.words_[p / 64] |= static_cast<std::uint64_t>(board.stone(static_cast<int>(p)) == stone) << p % 64;
            }
        return out;
    }

    bool is_empty() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : words_) all |= word;
        return all == 0;
    }
    bool has(int p) const { return words_[static_cast<std::size_t>(p) / 64] >> static_cast<std::size_t>(p) % 64 & 1; }
    bool operator==(const PointSet&) const = default;

    friend PointSet operator|(PointSet a, const PointSet& b) {
        for (std::size_t i = 0; i < kWords; ++i) a.words_[i] |= b.words_[i];
        return a;
    }
    friend PointSet operator&(PointSet a, const PointSet& b) {
        for (std::size_t i = 0; i < kWords; ++i) a.words_[i] &= b.words_[i];
        return a;
    }
    // Points of this set that are not in the other.
    PointSet without(const PointSet& other) const {
        PointSet out = *this;
        for (std::size_t i = 0; i < kWords; ++i) out.words_[i] &= ~other.words_[i];
        return out;
    }
    // The points beside a point of the set, walls too.
    PointSet neighbours() const { return up(1) | down(1) | up(Board<N>::kStride) | down(Board<N>::kStride); }
    // The points of `within` that are connected to a point of this set, which lies within it.
    PointSet connected(const PointSet& within) const {
        PointSet out = *this;
        while (true) {
            const PointSet more = out | (out.neighbours() & within);
            if (more == out) return out;
            out = more;
        }
    }
    // One of its points alone; of an empty set none.
    PointSet first() const {
        PointSet out;
        for (std::size_t i = 0; i < kWords; ++i)
            if (words_[i]) {
                out.words_[i] = words_[i] & -words_[i];
                break;
            }
        return out;
    }

private:
    PointSet up(std::size_t by) const {
        PointSet out;
        for (std::size_t i = 0; i < kWords; ++i) out.words_[i] = words_[i] << by | (i ? words_[i - 1] >> (64 - by) : 0);
        return out;
    }
    PointSet down(std::size_t by) const {
        PointSet out;
        for (std::size_t i = 0; i < kWords; ++i)
            out.words_[i] = words_[i] >> by | (i + 1 < kWords ? words_[i + 1] << (64 - by) : 0);
        return out;
    }

    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tengen::go
