// By how much searches found the evaluation wrong lately, by aspects of the position that decide it (correction
// history): a wrong view of a pawn structure is wrong wherever that structure is met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/alphabeta/position.hpp"
#include "core/alphabeta/tuning.hpp"

namespace tengen::alphabeta {

template <Position P>
class Corrections {
public:
    explicit Corrections(const Tuning& tuning)
        : divisor_(tuning.correction_divisor), rate_(tuning.correction_rate), step_(tuning.correction_step) {
        if constexpr (HasAspects<P>) found_.resize(2 * kSlots * static_cast<std::size_t>(P::kAspects));
    }

    // To be added to the evaluation.
    Score of(const P& position) const {
        if constexpr (HasAspects<P>) {
            if (!position.is_judged()) return 0;
            int sum = 0;
            for (int i = 0; i < P::kAspects; ++i) sum += found_[at(position, i)];
            return divisor_.of(sum);
        }
        return 0;
    }
    // A search of this depth found so much more than the corrected evaluation.
    void learn(const P& position, Score difference, int depth) {
        if constexpr (HasAspects<P>) {
            if (!position.is_judged()) return;
            const int step = std::clamp(difference * depth / rate_, -step_, step_);
            for (int i = 0; i < P::kAspects; ++i) {
                std::int16_t& value = found_[at(position, i)];
                value = static_cast<std::int16_t>(value + step - value * std::abs(step) / kMost);
            }
        }
    }

private:
    static constexpr std::size_t kSlots = 1 << 14;  // of an aspect and a side; what meets in one is not told apart
    static constexpr int kMost = 1024;              // of what is kept, either way

    static std::size_t at(const P& position, int aspect)
        requires HasAspects<P>
    {
        return static_cast<std::size_t>(2 * aspect + position.to_move()) * kSlots + position.aspect(aspect) % kSlots;
    }

    Divisor divisor_;
    int rate_, step_;
    std::vector<std::int16_t> found_;
};

}  // namespace tengen::alphabeta
