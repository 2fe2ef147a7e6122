#include "core/reversi/pattern_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace tengen::reversi {
namespace {

constexpr int kCounts = kCells - 3;  // numbers of empty cells: 0 to 60
constexpr int kMatrixBits = 8;       // of kMatrix
constexpr int kSquare = 6;           // bits by which a square of an activation is more precise than kOut

template <class T, std::size_t n>
void copy(std::span<const T> from, std::size_t at, std::array<T, n>& to) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at * n), n, to.begin());
}

}  // namespace

static_assert(PatternNetwork::kMatrix == 1 << kMatrixBits);
static_assert(PatternNetwork::kSum * PatternNetwork::kSum >> kSquare == PatternNetwork::kOut);

bool PatternNetwork::is_in(const Weights& weights) {
    return std::any_of(weights.entries().begin(), weights.entries().end(),
                       [](const auto& entry) { return entry.name == "vectors"; });
}

PatternNetwork::PatternNetwork(const Weights& weights) {
    unpack(weights);
    const auto offsets = weights.get<std::int16_t>("offsets", {-1, kWidth});
    const std::size_t phases = offsets.size() / kWidth;
    if (phases == 0 || phases > kCounts) throw std::invalid_argument("there are no phases, or more than empty cells");
    const auto n = static_cast<std::int64_t>(phases);
    const auto hidden = weights.get<std::int16_t>("hidden", {n, kWidth, kHidden});
    const auto hidden_bias = weights.get<std::int32_t>("hidden_bias", {n, kHidden});
    const auto direct = weights.get<std::int16_t>("direct", {n, kWidth});
    const auto output = weights.get<std::int16_t>("output", {n, kHidden});
    const auto bias = weights.get<std::int32_t>("bias", {kCounts});
    phases_.resize(phases);
    for (std::size_t phase = 0; phase < phases; ++phase) {
        Phase& one = phases_[phase];
        copy(offsets, phase, one.offsets);
        copy(direct, phase, one.direct);
        copy(hidden_bias, phase, one.hidden_bias);
        copy(output, phase, one.output);
        for (std::size_t lane = 0; lane < kWidth; ++lane) copy(hidden, phase * kWidth + lane, one.hidden[lane]);
    }
    for (std::size_t empties = 0; empties <= kCells; ++empties) {
        const std::size_t within = std::min<std::size_t>(empties, kCounts - 1);
        phase_of_[empties] =
            static_cast<std::uint8_t>(std::min((kCounts - 1 - within) * phases / kCounts, phases - 1));
        bias_[empties] = bias[within];
    }
    check_sums();
}

void PatternNetwork::unpack(const Weights& weights) {
    const PatternWeights& shared = PatternWeights::instance();
    const auto packed = weights.get<std::int16_t>("vectors", {shared.count(), kWidth});
    std::array<std::size_t, kClasses> begins{};
    for (std::size_t of = 0; of < kClasses; ++of) {
        begins[of] = vectors_.size();
        for (const std::int32_t which : shared.packed(static_cast<int>(of)))
            copy(packed, static_cast<std::size_t>(shared.offset(static_cast<int>(of)) + which),
                 vectors_.emplace_back().lanes);
    }
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const PatternPlace& one = pattern_places()[place];
        centres_[place] = static_cast<int>(begins[static_cast<std::size_t>(one.of)]) + centre_of(one.size);
    }
}

// No position can make a sum leave its type: the largest numbers of each place are taken together.
void PatternNetwork::check_sums() const {
    std::array<std::int64_t, kWidth> largest{};
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const int half = centre_of(pattern_places()[place].size);
        for (std::size_t lane = 0; lane < kWidth; ++lane) {
            int most = 0;
            for (int index = -half; index <= half; ++index)
                most = std::max(most,
                                std::abs(int{vectors_[static_cast<std::size_t>(centres_[place] + index)].lanes[lane]}));
            largest[lane] += most;
        }
    }
    for (const Phase& phase : phases_) {
        std::int64_t sum = 0;
        for (std::size_t lane = 0; lane < kWidth; ++lane) {
            if (largest[lane] + std::abs(int{phase.offsets[lane]}) > std::numeric_limits<std::int16_t>::max())
                throw std::invalid_argument("the vectors are too long for their sums");
            sum += largest[lane] * std::abs(int{phase.direct[lane]});
        }
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            std::int64_t before = std::abs(std::int64_t{phase.hidden_bias[unit]});
            for (std::size_t lane = 0; lane < kWidth; ++lane) before += kSum * std::abs(int{phase.hidden[lane][unit]});
            if (before > std::numeric_limits<std::int32_t>::max())
                throw std::invalid_argument("the hidden layer's weights are too large for their sums");
            sum += kOut * std::abs(int{phase.output[unit]});
        }
        for (const std::int32_t bias : bias_)
            if (sum + std::abs(std::int64_t{bias}) > std::numeric_limits<std::int32_t>::max())
                throw std::invalid_argument("the head's weights are too large for their sum");
    }
}

int PatternNetwork::evaluate(const Indices& indices, int sign, int empties) const {
    alignas(32) std::array<std::int16_t, kWidth> sum{};
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const auto& lanes = vectors_[static_cast<std::size_t>(centres_[place] + sign * indices.lanes[place])].lanes;
        for (std::size_t lane = 0; lane < kWidth; ++lane) sum[lane] = static_cast<std::int16_t>(sum[lane] + lanes[lane]);
    }
    const Phase& phase = phases_[phase_of_[static_cast<std::size_t>(empties)]];
    alignas(32) std::array<std::int32_t, kHidden> hidden = phase.hidden_bias;
    std::int32_t out = bias_[static_cast<std::size_t>(empties)];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
        out += sum[lane] * phase.direct[lane];
        const std::int32_t activation = std::clamp<std::int32_t>(sum[lane] + phase.offsets[lane], 0, kSum);
        for (std::size_t unit = 0; unit < kHidden; ++unit) hidden[unit] += activation * phase.hidden[lane][unit];
    }
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        const std::int32_t x = std::clamp<std::int32_t>(hidden[unit] >> kMatrixBits, 0, kSum);
        out += (x * x >> kSquare) * phase.output[unit];
    }
    return out / kOut;
}

}  // namespace tengen::reversi
