// What a solver has found of positions, for all threads of a solve and for the next ones.
//
// Four entries fill a cache line. An entry is two words that are read and written apart, without locks; the first is
// the key with the second laid over it, so that halves of two entries fit nobody (Hyatt's lockless hashing).
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/reversi/bits.hpp"

namespace tengen::reversi {

inline std::uint64_t solver_key(Bits own, Bits enemy) {
    std::uint64_t key = (own * 0x9e3779b97f4a7c15ULL) ^ std::rotl(enemy * 0xd1342543de82ef95ULL, 32);
    key = (key ^ key >> 32) * 0xbf58476d1ce4e5b9ULL;
    return key ^ key >> 29;
}

// Bounds of the score of the side to move, and the move that gave the last one.
struct Known {
    int low = -kCells, high = kCells, move = -1;
};

class SolverTable {
public:
    static constexpr int kBucket = 4;

    explicit SolverTable(int bits);  // 2^bits entries, at least kBucket
    static double mb(int bits) { return static_cast<double>(sizeof(Entry) << bits) / 1048576.0; }

    bool find(std::uint64_t key, Known& out) const {
        for (const Entry& entry : bucket(key)) {
            const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
            if ((entry.check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
            out = {static_cast<std::int8_t>(data), static_cast<std::int8_t>(data >> 8),
                   static_cast<std::int8_t>(data >> 16)};
            return true;
        }
        return false;
    }
    // `worth`: 0..255, how much is lost with it; entries of earlier solves give way first.
    void store(std::uint64_t key, const Known& what, int worth);
    void next_age() { age_ = (age_ + 1) & 255; }

private:
    struct Entry {
        std::atomic<std::uint64_t> check, data;
    };
    struct Bucket {
        Entry entries[kBucket];
    };
    struct Free {
        void operator()(void* memory) const;
    };

    std::size_t index(std::uint64_t key) const { return static_cast<std::size_t>(key >> shift_); }
    Entry (&bucket(std::uint64_t key) const)[kBucket] { return buckets_[index(key)].entries; }

    int shift_;
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_;
    unsigned age_ = 0;
};

// What one thread has found near the end; entries of another run are void.
struct NearEntry {
    Bits own = 0, enemy = 0;
    std::uint32_t run = 0;
    std::int8_t low = -kCells, high = kCells, move = -1;
};
inline constexpr int kNearBits = 14;
using NearTable = std::vector<NearEntry>;

// What solvers leave to the next ones: what was found far from the end, and the tables of threads that are done.
class SolverMemory {
public:
    explicit SolverMemory(int bits) : table(bits), bits_(bits) {}
    std::size_t bytes() const { return static_cast<std::size_t>(SolverTable::mb(bits_) * 1048576.0); }  // of the table

    NearTable take() {
        const std::lock_guard lock(mutex_);
        if (near_.empty()) return NearTable(std::size_t{1} << kNearBits);
        NearTable out = std::move(near_.back());
        near_.pop_back();
        return out;
    }
    void give(NearTable near) {
        const std::lock_guard lock(mutex_);
        near_.push_back(std::move(near));
    }

    SolverTable table;

private:
    int bits_;
    std::mutex mutex_;
    std::vector<NearTable> near_;
};

}  // namespace tengen::reversi
