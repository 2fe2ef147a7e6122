#include "core/reversi/solver_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tengen::reversi {
namespace {

constexpr int kMoveAt = 16, kWorthAt = 24, kAgeAt = 32, kUsedAt = 40;

std::uint64_t packed(const Known& what, int worth, unsigned age) {
    const auto byte = [](int value, int at) {
        return static_cast<std::uint64_t>(static_cast<std::uint8_t>(value)) << at;
    };
    return byte(what.low, 0) | byte(what.high, 8) | byte(what.move, kMoveAt) | byte(worth, kWorthAt) |
           static_cast<std::uint64_t>(age) << kAgeAt | std::uint64_t{1} << kUsedAt;
}

}  // namespace

void SolverTable::Free::operator()(void* memory) const { std::free(memory); }

// Pages that nothing is stored in are not touched.
SolverTable::SolverTable(int bits) : shift_(64 - std::max(bits - 2, 1)) {
    const std::size_t buckets = std::size_t{1} << (64 - shift_);
    memory_ = std::unique_ptr<void, Free>(std::calloc(buckets + 1, sizeof(Bucket)));
    if (!memory_) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    buckets_ = reinterpret_cast<Bucket*>((address + sizeof(Bucket) - 1) & ~(sizeof(Bucket) - 1));
}

void SolverTable::store(std::uint64_t key, const Known& what, int worth) {
    Entry* victim = nullptr;
    int least = 1 << 20;
    for (Entry& entry : bucket(key)) {
        const std::uint64_t old = entry.data.load(std::memory_order_relaxed);
        if (old == 0 || (entry.check.load(std::memory_order_relaxed) ^ old) == key) {
            victim = &entry;
            break;
        }
        const bool is_old = (old >> kAgeAt & 255) != age_;
        const int value = static_cast<int>(old >> kWorthAt & 255) - (is_old ? 256 : 0);
        if (value < least) victim = &entry, least = value;
    }
    const std::uint64_t data = packed(what, worth, age_);
    victim->check.store(key ^ data, std::memory_order_relaxed);
    victim->data.store(data, std::memory_order_relaxed);
}

}  // namespace tengen::reversi
