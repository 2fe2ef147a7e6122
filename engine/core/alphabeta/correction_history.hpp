// Correction history: by how much searches found the evaluation wrong lately, by the correction keys of the position.
// An evaluation that misjudges a pawn structure misjudges it wherever the structure is met.
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
class CorrectionHistory {
public:
    explicit CorrectionHistory(const Tuning& tuning)
        : divisor_(tuning.correction_divisor), rate_(tuning.correction_rate), step_(tuning.correction_step) {
        if constexpr (HasCorrectionKeys<P>) found_.resize(2 * kSlots * static_cast<std::size_t>(P::kCorrectionKeys));
    }

    // To be added to the evaluation.
    Score of(const P& position) const {
        if constexpr (HasCorrectionKeys<P>) {
            if (!position.is_estimated()) return 0;
            int sum = 0;
            for (int i = 0; i < P::kCorrectionKeys; ++i) sum += found_[at(position, i)];
            return divisor_.of(sum);
        }
        return 0;
    }
    // A search of this depth found so much more than the corrected evaluation.
    void update(const P& position, Score difference, int depth) {
        if constexpr (HasCorrectionKeys<P>) {
            if (!position.is_estimated()) return;
            const int step = std::clamp(difference * depth / rate_, -step_, step_);
            for (int i = 0; i < P::kCorrectionKeys; ++i) {
                std::int16_t& value = found_[at(position, i)];
                value = static_cast<std::int16_t>(value + step - value * std::abs(step) / kMost);
            }
        }
    }

private:
    static constexpr std::size_t kSlots = 1 << 14;  // of a key and a side; what shares a slot is not told apart
    static constexpr int kMost = 1024;              // of what is kept, either way

    static std::size_t at(const P& position, int which)
        requires HasCorrectionKeys<P>
    {
        return static_cast<std::size_t>(2 * which + position.to_move()) * kSlots +
               position.correction_key(which) % kSlots;
    }

    Divisor divisor_;
    int rate_, step_;
    std::vector<std::int16_t> found_;
};

}  // namespace tengen::alphabeta
