// A cache of a network's answers, by its whole input: a position asked about again is answered at once.
//
// The key is 128 bits of the encoded input as the network saw it, so that whatever is encoded counts (the side, komi,
// rules, the last moves) and so does the symmetry; what a key brings is in the network's orientation and is read like
// any answer, through the symmetry of the leaf that asks. Positions that are mirror images and were seen as one image
// share an answer. A wrong one, were two keys ever equal, could name no move that is illegal: answers are read move by
// move of the leaf. One thread uses it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "core/mcts/awaited.hpp"
#include "core/random.hpp"

namespace tengen::mcts {

struct AnswerKey {
    std::uint64_t low = 0, high = 0;
    bool operator==(const AnswerKey&) const = default;
};

// Adds numbers to a key; most are 0 and cost nothing. `first`: of how many that were added before.
inline void add_to(AnswerKey& key, std::span<const float> numbers, std::uint64_t first) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(numbers[i]);
        if (!bits) continue;
        std::uint64_t seed = (first + i) << 32 | bits;
        key.low += splitmix64(seed);
        key.high += splitmix64(seed);
    }
}

// is_root: a network may answer for a root in another way (its policy less optimistic).
inline AnswerKey key_of(std::span<const float> planes, std::span<const float> globals, bool is_root) {
    AnswerKey key{is_root ? 0x9e6c63d0876a9a99ULL : 0, 1};
    add_to(key, planes, 1);
    add_to(key, globals, 1 + planes.size());
    return key;
}

// Keeps as many answers as fit so many bytes, the newest and those asked for last; answers of another shape than those
// before begin it anew. Its memory is touched as it is used.
class AnswerCache {
public:
    explicit AnswerCache(std::size_t bytes) : bytes_(bytes) {}

    bool is_on() const { return bytes_ > 0; }
    std::size_t capacity() const { return slots_.size(); }
    std::size_t size() const { return kept_; }
    void resize(std::size_t bytes) {
        if (bytes == bytes_) return;
        bytes_ = bytes;
        clear();
    }
    void clear() {
        slots_.clear();
        numbers_.reset();
        kept_ = 0;
    }

    // Valid until the next `keep`.
    std::optional<Answer> find(const AnswerKey& key) {
        for (std::size_t way = 0; way < ways(); ++way) {
            const std::size_t at = place(key) + way;
            if (!slots_[at].is_used || slots_[at].key != key) continue;
            slots_[at].used = ++clock_;
            return read(at);
        }
        return std::nullopt;
    }

    void keep(const AnswerKey& key, const Answer& answer) {
        if (!is_on()) return;
        if (slots_.empty() || shape_.policy != answer.policy.size() || shape_.owners != answer.owners.size())
            begin(answer);
        if (slots_.empty()) return;
        std::size_t chosen = place(key);
        for (std::size_t at = chosen; at < place(key) + ways(); ++at) {
            if (slots_[at].is_used && slots_[at].key == key) return write(at, key, answer);
            if (age(at) > age(chosen)) chosen = at;
        }
        write(chosen, key, answer);
    }

private:
    static constexpr std::size_t kWays = 4, kFacts = sizeof(AnswerFacts) / sizeof(float);
    static_assert(sizeof(AnswerFacts) % sizeof(float) == 0 && std::is_trivially_copyable_v<AnswerFacts>);

    struct Slot {
        AnswerKey key;
        std::uint32_t used = 0;
        bool is_used = false;
    };
    struct Shape {
        std::size_t policy = 0, owners = 0;
        std::size_t size() const { return kFacts + policy + owners; }
    };

    std::size_t ways() const { return slots_.empty() ? 0 : kWays; }
    std::size_t place(const AnswerKey& key) const {
        return slots_.empty() ? 0 : key.low % (slots_.size() / kWays) * kWays;
    }
    std::uint64_t age(std::size_t at) const {
        return slots_[at].is_used ? clock_ - slots_[at].used : std::uint64_t{1} << 32;
    }

    void begin(const Answer& answer) {
        clear();
        shape_ = {answer.policy.size(), answer.owners.size()};
        const std::size_t count = bytes_ / (shape_.size() * sizeof(float) + sizeof(Slot)) / kWays * kWays;
        try {
            numbers_.reset(new float[count * shape_.size()]);
            slots_.resize(count);
        } catch (const std::bad_alloc&) {  // then every position is asked about
            clear();
        }
    }
    Answer read(std::size_t at) const {
        const float* from = numbers_.get() + at * shape_.size();
        Answer out;
        std::memcpy(static_cast<AnswerFacts*>(&out), from, sizeof(AnswerFacts));
        out.policy = {from + kFacts, shape_.policy};
        out.owners = {from + kFacts + shape_.policy, shape_.owners};
        return out;
    }
    void write(std::size_t at, const AnswerKey& key, const Answer& answer) {
        kept_ += !slots_[at].is_used;
        slots_[at] = {key, ++clock_, true};
        float* to = numbers_.get() + at * shape_.size();
        std::memcpy(to, static_cast<const AnswerFacts*>(&answer), sizeof(AnswerFacts));
        std::copy(answer.policy.begin(), answer.policy.end(), to + kFacts);
        std::copy(answer.owners.begin(), answer.owners.end(), to + kFacts + shape_.policy);
    }

    std::size_t bytes_;
    Shape shape_;
    std::vector<Slot> slots_;
    std::unique_ptr<float[]> numbers_;
    std::size_t kept_ = 0;
    std::uint32_t clock_ = 0;
};

}  // namespace tengen::mcts
