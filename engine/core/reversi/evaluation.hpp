// What a position of Reversi is worth at the end, as a search asks it at its leaves: in units of a disc, for the side
// to move.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/reversi/pattern_network.hpp"
#include "core/reversi/patterns.hpp"
#include "core/reversi/wide.hpp"
#include "core/weights.hpp"

namespace tengen::reversi {

inline constexpr int kDisc = 32;  // score units of a disc

class PatternTables;
class ProbCut;

using ProbCutNumbers = std::array<float, 5>;  // see probcut.hpp

// Without weights: moves, corners and open discs, as far as they tell the final margin.
class MobilityEvaluation {
public:
    static constexpr bool kUsesIndices = false;
    static int evaluate(Bits own, Bits enemy);
    static const ProbCut* probcut() { return nullptr; }
    static std::shared_ptr<const PatternTables> tables() { return nullptr; }
};

// The tables of a file, unpacked: a number for each phase, class and index, or the vectors of a network. Many searches
// share one.
class PatternTables {
public:
    // Arrays: those of a PatternNetwork, or "patterns" i16 [phases, weights] and "bias" i16 [61], by empty cells;
    // kWeightUnit to a disc. Optional: "probcut" f32 [5]. Throws std::invalid_argument for others.
    explicit PatternTables(const Weights& weights);
    // Those of these weights, made once for all who ask while anybody has them.
    static std::shared_ptr<const PatternTables> of(const std::shared_ptr<const Weights>& weights);

    static constexpr int kWeightUnit = 128;

    std::size_t bytes() const { return tables_.size() * sizeof(tables_[0]) + (network_ ? network_->bytes() : 0); }

    // sign: 1 where Black is to move, whose indices these are.
    int evaluate(const Indices& indices, int sign, int empties) const {
        if (network_) return network_->evaluate(indices, sign, empties);
        const std::int16_t* table = tables_.data() + phase_at_[static_cast<std::size_t>(empties)];
        int sum = bias_[static_cast<std::size_t>(empties)];
        for (std::size_t place = 0; place < kPlaces; ++place)
            sum += table[centres_[place] + sign * indices.lanes[place]];
        return sum * kDisc / kWeightUnit;
    }

    // How well its shallow searches predict deep ones, where that was fitted.
    const std::optional<ProbCutNumbers>& probcut() const { return probcut_; }

private:
    void unpack(const Weights& weights);

    std::optional<PatternNetwork> network_;
    std::vector<std::int16_t> tables_;
    std::array<int, kPlaces> centres_{};              // of each place's class in a phase
    std::array<std::size_t, kCells + 1> phase_at_{};  // by empty cells: where its table begins
    std::array<int, kCells + 1> bias_{};
    std::optional<ProbCutNumbers> probcut_;
};

}  // namespace tengen::reversi
