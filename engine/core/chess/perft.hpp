// Perft: the leaves of the game tree at a depth, as everybody counts them: what ends by mate or stalemate has none, draws
// by moves or material go on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/chess/board.hpp"

namespace tengen::chess {

// Leaves of positions that were counted before, by key and depth, both kept whole: a count is wrong only where two
// positions have the same key of 64 bits. For one thread.
class PerftTable {
public:
    static constexpr int kLeastDepth = 2;  // below, counting is faster than looking

    // At most so many bytes, at least one bucket; touched as they fill. Throws std::bad_alloc.
    explicit PerftTable(std::size_t bytes);

    // Leaves, or 0 for what is not known; what has no leaves is counted again.
    std::uint64_t find(std::uint64_t key, int depth) const;
    void store(std::uint64_t key, int depth, std::uint64_t leaves);

private:
    static constexpr int kDepthBits = 5;
    struct Entry {
        std::uint64_t key, data;  // data: leaves above the depth; 0 is empty
    };
    using Bucket = std::array<Entry, 4>;
    struct Free {
        void operator()(void* memory) const;
    };

    Bucket& bucket(std::uint64_t key, int depth) const;

    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_ = nullptr;  // at lines of the cache
    std::size_t count_;
};

// Depth 0 to 30; in bulk the last ply is counted, not played. table: may be null.
std::uint64_t perft(const Board& board, int depth, bool in_bulk, PerftTable* table = nullptr);

}  // namespace tengen::chess
