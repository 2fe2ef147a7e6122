// The transposition table: what was found of positions, for all threads of a search and for its next runs.
//
// Four entries fill a cache line. An entry is two words that are read and written apart, without locks; the first is
// the key with the second laid over it, so that halves of two entries fit nobody (Hyatt's lockless hashing).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/alphabeta/position.hpp"
#include "core/compiler.hpp"

namespace tengen::alphabeta {

// What a score says of the true one.
enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Stored {
    int move = -1;    // native; -1: none
    Score score = 0;  // wins count plies from here
    int depth = 0;    // plies looked ahead, 0..255
    int level = 0;    // of selectivity, 0..15: 0 left nothing out
    Bound bound = Bound::none;
};

class Table {
public:
    static constexpr int kBucket = 4;

    // At most so many bytes, few of them in use; 0: nothing is kept. Pages that nothing was stored in are not touched.
    explicit Table(std::size_t bytes);
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // keep: plies by which an entry of this run must be deeper than a new one to stay for the same key. age: plies that an
    // entry counts as less deep for each run since, when one has to give way.
    void set_replacement(int keep, int age) { keep_ = keep, age_cost_ = age; }
    // Whether something is known of this key; then what.
    bool find(std::uint64_t key, Stored& out) const;
    void store(std::uint64_t key, const Stored& what);
    // Let what is known of this key come near: `find` will ask soon.
    void prefetch(std::uint64_t key) const {
        if (count_) tengen::prefetch(&buckets_[index(key)]);
    }

    // Room for about so many entries at once, as far as there is memory; there never is less again, and what is known is
    // kept. Small at first: a system takes milliseconds to clear large pages, and a short run fills few. Not while
    // others use the table.
    void make_room(std::uint64_t entries);

    void next_age() { age_ = (age_ + 1) & kAges; }  // entries of earlier runs give way first
    void clear();
    std::size_t pages() const { return count_ * sizeof(Bucket) >> 21; }  // large ones
    double fullness() const;                                             // 0..1, of this age, from a sample

private:
    static constexpr unsigned kAges = 63;  // a mask
    static constexpr std::size_t kMostBuckets = 0xffffffffu, kFirstBuckets = 1024;
    struct Entry {
        std::atomic<std::uint64_t> check, data;
    };
    struct alignas(64) Bucket {
        Entry entries[kBucket];
    };
    struct Free {
        void operator()(void* memory) const;
    };

    // Greater keys never come before smaller ones, whatever the count.
    std::size_t index(std::uint64_t key) const {
        return static_cast<std::size_t>((key >> 32) * static_cast<std::uint64_t>(count_) >> 32);
    }
    unsigned age_of(std::uint64_t data) const;

    std::size_t most_, count_;  // buckets there is memory for; in use
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_ = nullptr;
    unsigned age_ = 0;
    int keep_ = 0, age_cost_ = 0;
};

}  // namespace tengen::alphabeta
