#include "core/reversi/pattern_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "core/compiler.hpp"

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
        std::copy_n(output.begin() + static_cast<std::ptrdiff_t>(phase * kHidden), kHidden, one.output.begin());
        for (std::size_t lane = 0; lane < kWidth; ++lane)
            for (std::size_t unit = 0; unit < kHidden; ++unit)
                one.hidden[lane / 2][unit][lane % 2] = hidden[(phase * kWidth + lane) * kHidden + unit];
    }
    for (std::size_t empties = 0; empties <= kCells; ++empties) {
        const std::size_t within = std::min<std::size_t>(empties, kCounts - 1);
        phase_of_[empties] = static_cast<std::uint8_t>(std::min((kCounts - 1 - within) * phases / kCounts, phases - 1));
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
            for (std::size_t lane = 0; lane < kWidth; ++lane)
                before += kSum * std::abs(int{phase.hidden[lane / 2][unit][lane % 2]});
            if (before > std::numeric_limits<std::int32_t>::max())
                throw std::invalid_argument("the hidden layer's weights are too large for their sums");
            sum += kOut * std::abs(std::int64_t{phase.output[unit]});
        }
        for (const std::int32_t bias : bias_)
            if (sum + std::abs(std::int64_t{bias}) > std::numeric_limits<std::int32_t>::max())
                throw std::invalid_argument("the head's weights are too large for their sum");
    }
}

int PatternNetwork::evaluate(const Indices& indices, int sign, int empties) const {
    // Where the vectors are is found first, so that their loads wait for nothing.
    alignas(64) std::array<std::int32_t, kLanes> at;
    const auto flip = static_cast<std::int16_t>(sign >> 1);  // all ones where the sign is -1
    for (std::size_t place = 0; place < kLanes; ++place)
        at[place] = centres_[place] + static_cast<std::int16_t>((indices.lanes[place] ^ flip) - flip);
    const Phase& phase = phases_[phase_of_[static_cast<std::size_t>(empties)]];
    const std::int32_t out = bias_[static_cast<std::size_t>(empties)] + answer(phase, at);
    return out / kOut;
}

#if defined(__AVX2__)

std::int32_t PatternNetwork::answer(const Phase& phase, const std::array<std::int32_t, kLanes>& at) const {
    static_assert(kWidth == 16 && kHidden == 16 && kPlaces % 2 == 0);
    const auto load = [](const auto& numbers) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(&numbers)); };
    __m256i sum = _mm256_setzero_si256(), other = sum;
    TENGEN_UNROLL(23)
    for (std::size_t place = 0; place < kPlaces; place += 2) {
        sum = _mm256_add_epi16(sum, load(vectors_[static_cast<std::size_t>(at[place])]));
        other = _mm256_add_epi16(other, load(vectors_[static_cast<std::size_t>(at[place + 1])]));
    }
    sum = _mm256_add_epi16(sum, other);
    __m256i out = _mm256_madd_epi16(sum, load(phase.direct));
    const __m256i active = _mm256_min_epi16(
        _mm256_max_epi16(_mm256_add_epi16(sum, load(phase.offsets)), _mm256_setzero_si256()), _mm256_set1_epi16(kSum));
    alignas(32) std::array<std::int32_t, kWidth / 2> pairs;
    _mm256_store_si256(reinterpret_cast<__m256i*>(pairs.data()), active);
    __m256i low = load(phase.hidden_bias[0]), high = load(phase.hidden_bias[8]);
    TENGEN_UNROLL(8)
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        const __m256i both = _mm256_set1_epi32(pairs[pair]);
        low = _mm256_add_epi32(low, _mm256_madd_epi16(both, load(phase.hidden[pair][0])));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(both, load(phase.hidden[pair][8])));
    }
    const auto squares = [&](__m256i units, const auto& weights) {
        units = _mm256_srai_epi32(units, kMatrixBits);
        units = _mm256_min_epi32(_mm256_max_epi32(units, _mm256_setzero_si256()), _mm256_set1_epi32(kSum));
        return _mm256_mullo_epi32(_mm256_srli_epi32(_mm256_mullo_epi32(units, units), kSquare), load(weights));
    };
    out = _mm256_add_epi32(out, squares(low, phase.output[0]));
    out = _mm256_add_epi32(out, squares(high, phase.output[8]));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(out), _mm256_extracti128_si256(out, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#else

std::int32_t PatternNetwork::answer(const Phase& phase, const std::array<std::int32_t, kLanes>& at) const {
    std::array<std::int16_t, kWidth> sum{};
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const auto& lanes = vectors_[static_cast<std::size_t>(at[place])].lanes;
        for (std::size_t lane = 0; lane < kWidth; ++lane)
            sum[lane] = static_cast<std::int16_t>(sum[lane] + lanes[lane]);
    }
    std::array<std::int32_t, kHidden> hidden = phase.hidden_bias;
    std::int32_t out = 0;
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
        out += sum[lane] * phase.direct[lane];
        const std::int32_t active = std::clamp<std::int32_t>(sum[lane] + phase.offsets[lane], 0, kSum);
        for (std::size_t unit = 0; unit < kHidden; ++unit)
            hidden[unit] += active * phase.hidden[lane / 2][unit][lane % 2];
    }
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        const std::int32_t x = std::clamp<std::int32_t>(hidden[unit] >> kMatrixBits, 0, kSum);
        out += (x * x >> kSquare) * phase.output[unit];
    }
    return out;
}

#endif

}  // namespace tengen::reversi
