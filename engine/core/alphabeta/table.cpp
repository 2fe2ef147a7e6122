#include "core/alphabeta/table.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tengen::alphabeta {
namespace {

// Bits of an entry's second word: move 16, score 16, depth 8, level 4, bound 2, age 6; an empty one is 0.
constexpr int kScoreAt = 16, kDepthAt = 32, kLevelAt = 40, kBoundAt = 44, kAgeAt = 46;
constexpr std::uint64_t kNoMove = 0xffff;

std::uint64_t packed(const Stored& what, unsigned age) {
    const std::uint64_t move = what.move < 0 ? kNoMove : static_cast<std::uint64_t>(what.move);
    return move | static_cast<std::uint64_t>(static_cast<std::uint16_t>(what.score)) << kScoreAt |
           static_cast<std::uint64_t>(std::clamp(what.depth, 0, 255)) << kDepthAt |
           static_cast<std::uint64_t>(what.level & 15) << kLevelAt |
           static_cast<std::uint64_t>(what.bound) << kBoundAt | static_cast<std::uint64_t>(age) << kAgeAt;
}

Stored unpacked(std::uint64_t data) {
    const std::uint64_t move = data & 0xffff;
    return {move == kNoMove ? -1 : static_cast<int>(move), static_cast<std::int16_t>(data >> kScoreAt),
            static_cast<int>(data >> kDepthAt & 255), static_cast<int>(data >> kLevelAt & 15),
            static_cast<Bound>(data >> kBoundAt & 3)};
}

// Pages of two megabytes where the system has them: an entry is found anywhere, and small pages would be looked up
// longer than the entry.
void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(kPage - 1);
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish: no error matters
#endif
}

// Give large memory back to the system, which clears it when it is touched again. Whether that was done.
bool drop_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
    if (bytes < 4 * kPage) return false;
    const auto first = reinterpret_cast<std::uintptr_t>(memory), last = first + bytes;
    const auto begin = (first + kPage - 1) & ~(kPage - 1), end = last & ~(kPage - 1);
    if (madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) != 0) return false;
    std::memset(memory, 0, begin - first);
    std::memset(reinterpret_cast<void*>(end), 0, last - end);
    return true;
#else
    return false;
#endif
}

}  // namespace

void Table::Free::operator()(void* memory) const { std::free(memory); }

Table::Table(std::size_t bytes)
    : most_(std::min<std::size_t>(bytes / sizeof(Bucket), kMostBuckets)), count_(std::min(most_, kFirstBuckets)) {
    if (most_ == 0) return;
    while (!(memory_ = std::unique_ptr<void, Free>(std::calloc(most_ + 1, sizeof(Bucket)))) && most_ > 1) most_ /= 2;
    if (!memory_) throw std::bad_alloc();
    count_ = std::min(most_, count_);
    prefer_large_pages(memory_.get(), most_ * sizeof(Bucket));
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    buckets_ = reinterpret_cast<Bucket*>((address + alignof(Bucket) - 1) & ~(alignof(Bucket) - 1));
}

bool Table::find(std::uint64_t key, Stored& out) const {
    if (count_ == 0) return false;
    for (const Entry& entry : buckets_[index(key)].entries) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        if (data == 0 || (entry.check.load(std::memory_order_relaxed) ^ data) != key) continue;
        out = unpacked(data);
        return true;
    }
    return false;
}

// How many runs ago.
unsigned Table::age_of(std::uint64_t data) const { return (age_ - static_cast<unsigned>(data >> kAgeAt)) & kAges; }

void Table::store(std::uint64_t key, const Stored& what) {
    if (count_ == 0) return;
    Entry* victim = nullptr;
    int least = 1 << 20;
    std::uint64_t data = packed(what, age_);
    for (Entry& entry : buckets_[index(key)].entries) {
        const std::uint64_t old = entry.data.load(std::memory_order_relaxed);
        if (old == 0) {
            if (least > -(1 << 20)) victim = &entry, least = -(1 << 20);
            continue;
        }
        if ((entry.check.load(std::memory_order_relaxed) ^ old) == key) {
            const Stored known = unpacked(old);
            // What says more of this very position stays, unless it is of an earlier run.
            if (what.bound != Bound::exact && age_of(old) == 0 && known.bound != Bound::none &&
                (known.depth > what.depth + keep_ || (what.bound == Bound::none && known.depth >= what.depth)))
                return;
            if (what.move < 0) data = (data & ~std::uint64_t{0xffff}) | (old & 0xffff);
            victim = &entry;
            break;
        }
        const int worth = static_cast<int>(old >> kDepthAt & 255) - age_cost_ * static_cast<int>(age_of(old));
        if (worth < least) victim = &entry, least = worth;
    }
    victim->check.store(key ^ data, std::memory_order_relaxed);
    victim->data.store(data, std::memory_order_relaxed);
}

void Table::make_room(std::uint64_t entries) {
    const std::size_t before = count_;
    const std::uint64_t wanted = std::min<std::uint64_t>(most_, entries / kBucket + 1);
    while (count_ < wanted) count_ = std::min(most_, 2 * count_);
    if (count_ == before) return;
    for (std::size_t i = before; i-- > 0;) {  // backwards: none moves to one that is still to be emptied
        std::uint64_t check[kBucket], data[kBucket];
        for (int at = 0; at < kBucket; ++at) {
            check[at] = buckets_[i].entries[at].check.exchange(0, std::memory_order_relaxed);
            data[at] = buckets_[i].entries[at].data.exchange(0, std::memory_order_relaxed);
        }
        for (int at = 0; at < kBucket; ++at) {
            if (data[at] == 0) continue;
            for (Entry& entry : buckets_[index(check[at] ^ data[at])].entries) {
                if (entry.data.load(std::memory_order_relaxed) != 0) continue;
                entry.check.store(check[at], std::memory_order_relaxed);
                entry.data.store(data[at], std::memory_order_relaxed);
                break;
            }
        }
    }
}

void Table::clear() {
    if (drop_pages(buckets_, count_ * sizeof(Bucket))) count_ = std::min(most_, kFirstBuckets);
    for (std::size_t i = 0; i < count_; ++i)
        for (Entry& entry : buckets_[i].entries) {
            if (entry.data.load(std::memory_order_relaxed) == 0) continue;  // leave pages alone that nobody touched
            entry.data.store(0, std::memory_order_relaxed);
            entry.check.store(0, std::memory_order_relaxed);
        }
    age_ = 0;
}

double Table::fullness() const {
    // Of the buckets that are always in use: the table may be growing in another thread.
    const std::size_t sample = std::min<std::size_t>({most_, kFirstBuckets, 500});
    if (sample == 0) return 0;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const Entry& entry : buckets_[i].entries) {
            const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
            taken += data != 0 && age_of(data) == 0;
        }
    return static_cast<double>(taken) / static_cast<double>(sample * kBucket);
}

}  // namespace tengen::alphabeta
