// Walking the board: every point, and connected regions of points.
#pragma once

#include <array>
#include <cstdint>

#include "core/go/board.hpp"

namespace tengen::go {

template <int N>
using PointMap = std::array<std::uint8_t, Board<N>::kPoints>;

// Up to a whole board of points; iterable.
template <int N>
struct PointList {
    std::array<int, Board<N>::kCells> points;
    int size = 0;

    void add(int p) { points[static_cast<std::size_t>(size++)] = p; }
    bool contains(int p) const {
        for (int q : *this)
            if (q == p) return true;
        return false;
    }
    const int* begin() const { return points.data(); }
    const int* end() const { return points.data() + size; }
};

template <int N, class F>
void for_each_point(const Board<N>& board, F f) {
    for (int row = 0; row < board.height(); ++row)
        for (int column = 0; column < board.width(); ++column) f(Board<N>::point(row, column));
}

// Fill `region` with the points connected to `start` for which belongs(point) holds, marking them in `seen`.
// `belongs` is asked about every orthogonal neighbour, walls and neighbours outside the region included.
template <int N, class F>
void flood(int start, PointList<N>& region, PointMap<N>& seen, F belongs) {
    region.size = 0;
    region.add(start);
    seen[static_cast<std::size_t>(start)] = 1;
    for (int i = 0; i < region.size; ++i)
        for (int k = 0; k < 4; ++k) {
            const int q = region.points[static_cast<std::size_t>(i)] + Board<N>::kDelta[k];
            if (!belongs(q) || seen[static_cast<std::size_t>(q)]) continue;
            seen[static_cast<std::size_t>(q)] = 1;
            region.add(q);
        }
}

}  // namespace tengen::go
