// The pseudo-random generator of every search and playout: xoroshiro128++ (Blackman & Vigna 2019), seeded
// by splitmix64. Small, fast, repeatable on every platform; not for cryptography.
#pragma once

#include <bit>
#include <cstdint>

namespace tengen {

// One step of splitmix64; also the hash behind every Zobrist table.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

class Random {
public:
    explicit Random(std::uint64_t seed = 1) {
        a_ = splitmix64(seed);
        b_ = splitmix64(seed);
    }

    std::uint64_t next() {
        const std::uint64_t a = a_, result = std::rotl(a + b_, 17) + a;
        const std::uint64_t b = b_ ^ a;
        a_ = std::rotl(a, 49) ^ b ^ (b << 21);
        b_ = std::rotl(b, 28);
        return result;
    }

    // A number in 0..bound-1 for bound < 2^32 (multiply-shift; the bias is below bound / 2^32).
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

    // A number in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::uint64_t a_, b_;
};

}  // namespace tengen
