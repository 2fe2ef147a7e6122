// What learning asks of the network over patterns, in floats: what it says of many positions, and how that changes with
// every weight. `pattern_network.hpp` describes the network, `nets/pattern_network.py` is the same in torch.
//
// The results do not depend on how many threads there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/reversi/bits.hpp"
#include "core/reversi/pattern_network.hpp"
#include "core/reversi/patterns.hpp"

namespace tengen::reversi {

// A position as the side to move sees it.
struct Sides {
    Bits own, enemy;
};
static_assert(sizeof(Sides) == 2 * sizeof(Bits));

inline constexpr int kMostEmpties = kCells - 4;

// Which weight each place looks up, into n x kPlaces numbers, and the empty cells, kMostEmpties at most, into n.
void pattern_rows(std::span<const Sides> positions, std::int32_t* rows, std::uint8_t* empties);

class Learner {
public:
    static constexpr std::size_t kWidth = PatternNetwork::kWidth, kHidden = PatternNetwork::kHidden;
    static constexpr float kDiscs = 16;               // of one unit of the head's answer
    static constexpr int kCounts = kMostEmpties + 1;  // numbers of empty cells

    // One array for each of the network's, without gaps. vectors: weights x kWidth; by phase offsets, direct: kWidth, hidden:
    // kWidth x kHidden, hidden_bias, output: kHidden; bias: kCounts, in discs.
    template <class T>
    struct Arrays {
        T *vectors, *offsets, *hidden, *hidden_bias, *direct, *output, *bias;
    };

    // Throws std::invalid_argument for no phases, more than kCounts, or no threads.
    Learner(int phases, int threads);

    // How many numbers each of them has, in this order.
    std::array<std::size_t, 7> sizes() const {
        const std::size_t numbers = phases_ * kWidth;
        const auto vectors = static_cast<std::size_t>(PatternWeights::instance().count()) * kWidth;
        return {vectors, numbers, numbers * kHidden, numbers, numbers, numbers, kCounts};
    }

    // What it says of positions, in discs, into `values`.
    void forward(std::span<const Sides> positions, const Arrays<const float>& of, std::span<float> values);
    // By how a loss changes with the values of the last `forward`: how it changes with each weight, into `found`. of: as then.
    // Throws std::invalid_argument for another number of positions.
    void backward(std::span<const float> slopes, const Arrays<const float>& of, const Arrays<float>& found);

private:
    static constexpr std::size_t kParts = 16;  // in which positions are worked on

    using Numbers = std::array<float, kWidth>;
    static_assert(kWidth == kHidden);
    struct Phase {
        Numbers offsets{}, direct{}, hidden_bias{}, output{};
        std::array<Numbers, kWidth> hidden{};
    };
    // A position's way through the head.
    struct Passage {
        Numbers active, units;
        float margin;
    };

    Phase phase(const Arrays<const float>& of, std::size_t which) const;
    static Passage pass(const Phase& phase, const Numbers& sum);
    void sum_up(std::size_t begin, std::size_t end, const float* vectors);
    void head_back(std::size_t begin, std::size_t end, std::span<const float> slopes, std::span<const Phase> phases,
                   std::span<Phase> found, std::span<float> bias);
    void vectors_back(std::size_t of, float* vectors) const;
    std::size_t begin_of(std::size_t part) const { return count_ * part / kParts; }

    std::size_t phases_, threads_, count_ = 0;
    std::array<std::uint8_t, kCounts> phase_of_{};  // by empty cells
    std::vector<std::uint8_t> empties_;
    std::vector<std::int32_t> rows_;     // n x kPlaces
    std::vector<Numbers> sums_, steps_;  // of the vectors; how the loss changes with them
};

}  // namespace tengen::reversi
