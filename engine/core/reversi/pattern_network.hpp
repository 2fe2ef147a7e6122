// A small network over patterns: each of the 46 places of the board looks up a vector by what lies there, the vectors
// are summed, and a head of the game's phase makes a number of the sum. All in whole numbers.
//
// With the sum s (kSum units to 1) and the head's numbers: a = clamp(s + offset, 0, 1), x = clamp(a . hidden + hidden
// bias, 0, 1), and the evaluation is s . direct + x^2 . output + bias. `nets/patterns.py` is the same in torch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/reversi/patterns.hpp"
#include "core/weights.hpp"

namespace tengen::reversi {

class PatternNetwork {
public:
    static constexpr int kWidth = 16, kHidden = 16;  // of the sum and of the head's layer
    static constexpr int kSum = 256;                 // units of sums and activations to 1
    static constexpr int kMatrix = 256;              // of the hidden layer's weights
    static constexpr int kOut = 1024;                // of what is added up, to a unit of the score

    // Arrays: "vectors" i16 [weights, kWidth]; by phase "offsets" i16 [phases, kWidth], "hidden" i16 [phases, kWidth,
    // kHidden] in 1/kMatrix, "hidden_bias" i32 [phases, kHidden] in 1/(kSum kMatrix), "direct" i16 [phases, kWidth] in
    // kOut/kSum score units, "output" i16 [phases, kHidden] in score units; and "bias" i32 [61] by empty cells, in
    // 1/kOut score units. Throws std::invalid_argument for others, and for numbers with which a sum could leave its
    // type.
    explicit PatternNetwork(const Weights& weights);

    // Whether these are the arrays of such a network.
    static bool is_in(const Weights& weights);

    // sign: 1 where Black is to move, whose indices these are. In score units, not bounded.
    int evaluate(const Indices& indices, int sign, int empties) const;

    std::size_t bytes() const { return vectors_.size() * sizeof(Vector) + phases_.size() * sizeof(Phase); }

private:
    struct alignas(32) Vector {
        std::array<std::int16_t, kWidth> lanes;
    };
    struct alignas(64) Phase {
        std::array<std::int16_t, kWidth> offsets, direct;
        std::array<std::array<std::array<std::int16_t, 2>, kHidden>, kWidth / 2> hidden;  // two lanes side by side
        std::array<std::int32_t, kHidden> hidden_bias, output;
    };

    void unpack(const Weights& weights);
    void check_sums() const;
    // at: which vector each place looks up. In 1/kOut score units, without the bias.
    std::int32_t answer(const Phase& phase, const std::array<std::int32_t, kLanes>& at) const;

    std::vector<Vector> vectors_;                             // of all classes, by index from the least on
    alignas(64) std::array<std::int32_t, kLanes> centres_{};  // where the index 0 of each place is
    std::vector<Phase> phases_;
    std::array<std::uint8_t, kCells + 1> phase_of_{};  // by empty cells
    std::array<std::int32_t, kCells + 1> bias_{};
};

}  // namespace tengen::reversi
