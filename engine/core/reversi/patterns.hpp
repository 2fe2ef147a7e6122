// Patterns of Reversi: sets of cells that are looked at together, and their indices, kept up from move to move.
//
// There are twelve classes (those of Edax, R. Delorme: corners, edges, rows, diagonals), each with the places that the
// symmetries of the board give it, 46 in all. The index of a place is a number of balanced ternary, a digit a cell: 1
// for a black disc, -1 for a white one, 0 for none. So the index that the other side sees is its negative, and a disc
// that comes or turns adds the same to the indices of all its places, whatever else lies there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/reversi/bits.hpp"

namespace tengen::reversi {

inline constexpr int kClasses = 12, kPlaces = 46, kLargestPattern = 10;
inline constexpr int kLanes = 48;  // of indices; those behind the places are always 0

// One class: its cells at its first place, in the order of digits.
struct PatternClass {
    const char* name;
    int size;
    std::array<std::uint8_t, kLargestPattern> cells;
};

// One place: the class and its cells there.
struct PatternPlace {
    int of = 0, size = 0;
    std::array<std::uint8_t, kLargestPattern> cells{};
};

std::span<const PatternClass> pattern_classes();
const std::array<PatternPlace, kPlaces>& pattern_places();

constexpr int power_of_3(int n) { return n == 0 ? 1 : 3 * power_of_3(n - 1); }
constexpr int centre_of(int size) { return (power_of_3(size) - 1) / 2; }  // indices are -centre..centre

// The indices of all places, black's view.
struct Indices {
    alignas(32) std::array<std::int16_t, kLanes> lanes{};

    void add(const Indices& other, int times) {
        for (std::size_t i = 0; i < kLanes; ++i)
            lanes[i] = static_cast<std::int16_t>(lanes[i] + times * other.lanes[i]);
    }
    bool operator==(const Indices&) const = default;
};

// What a black disc on each cell adds.
extern const std::array<Indices, kCells> kCellIndices;

Indices indices_of(Bits black, Bits white);

// After a move: `turned` became `sign`'s (1: black's), who also played on `cell`.
inline void update(Indices& indices, int cell, Bits turned, int sign) {
    indices.add(kCellIndices[static_cast<std::size_t>(cell)], sign);
    for (; turned; turned &= turned - 1) indices.add(kCellIndices[static_cast<std::size_t>(lowest(turned))], 2 * sign);
}

// What has a weight of its own: patterns that are their own mirror images share one with their mirrored contents. A
// class has its weights from offset(class) on; `packed(class)` says for index + centre which of them.
class PatternWeights {
public:
    static const PatternWeights& instance();
    int count() const { return count_; }  // of all classes
    int offset(int of) const { return offsets_[static_cast<std::size_t>(of)]; }
    std::span<const std::int32_t> packed(int of) const { return packed_[static_cast<std::size_t>(of)]; }

private:
    PatternWeights();
    int count_ = 0;
    std::array<int, kClasses> offsets_{};
    std::array<std::vector<std::int32_t>, kClasses> packed_;
};

}  // namespace tengen::reversi
