#include "core/reversi/learning.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/compiler.hpp"
#include "core/threads.hpp"

namespace tengen::reversi {

void pattern_rows(std::span<const Sides> positions, std::int32_t* rows, std::uint8_t* empties) {
    const PatternWeights& shared = PatternWeights::instance();
    std::array<const std::int32_t*, kPlaces> row_of;  // by index
    std::array<std::int32_t, kPlaces> first;
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const PatternPlace& one = pattern_places()[place];
        row_of[place] = shared.packed(one.of).data() + centre_of(one.size);
        first[place] = shared.offset(one.of);
    }
    for (const Sides& position : positions) {
        const Indices indices = indices_of(position.own, position.enemy);
        for (std::size_t place = 0; place < kPlaces; ++place)
            *rows++ = first[place] + row_of[place][indices.lanes[place]];
        *empties++ = static_cast<std::uint8_t>(std::min(count(~(position.own | position.enemy)), kMostEmpties));
    }
}

Learner::Learner(int phases, int threads)
    : phases_(static_cast<std::size_t>(std::max(phases, 0))), threads_(static_cast<std::size_t>(std::max(threads, 0))) {
    if (phases < 1 || phases > kCounts) throw std::invalid_argument("there are no phases, or more than empty cells");
    if (threads < 1) throw std::invalid_argument("there is one thread or more");
    for (int empties = 0; empties < kCounts; ++empties)
        phase_of_[static_cast<std::size_t>(empties)] =
            static_cast<std::uint8_t>((kMostEmpties - empties) * phases / kCounts);
}

void Learner::forward(std::span<const Sides> positions, const Arrays<const float>& of, std::span<float> values) {
    count_ = positions.size();
    empties_.resize(count_);
    rows_.resize(count_ * kPlaces);
    sums_.resize(count_);
    std::vector<Phase> phases;
    for (std::size_t which = 0; which < phases_; ++which) phases.push_back(phase(of, which));
    on_threads(threads_, kParts, [&](std::size_t part, std::size_t) {
        const std::size_t begin = begin_of(part), end = begin_of(part + 1);
        pattern_rows(positions.subspan(begin, end - begin), rows_.data() + begin * kPlaces, empties_.data() + begin);
        sum_up(begin, end, of.vectors);
        for (std::size_t i = begin; i < end; ++i)
            values[i] = kDiscs * pass(phases[phase_of_[empties_[i]]], sums_[i]).margin + of.bias[empties_[i]];
    });
}

void Learner::backward(std::span<const float> slopes, const Arrays<const float>& of, const Arrays<float>& found) {
    if (slopes.size() != count_) throw std::invalid_argument("these are not the positions of the last forward");
    steps_.resize(count_);
    std::vector<Phase> phases, parts(kParts * phases_);
    std::vector<float> biases(kParts * kCounts);
    for (std::size_t which = 0; which < phases_; ++which) phases.push_back(phase(of, which));
    on_threads(threads_, kParts, [&](std::size_t part, std::size_t) {
        head_back(begin_of(part), begin_of(part + 1), slopes, phases, std::span(parts).subspan(part * phases_, phases_),
                  std::span(biases).subspan(part * kCounts, kCounts));
    });
    on_threads(threads_, kClasses, [&](std::size_t one, std::size_t) { vectors_back(one, found.vectors); });
    const auto add = [](const Numbers& numbers, float* to) {
        for (std::size_t k = 0; k < kWidth; ++k) to[k] += numbers[k];
    };
    for (float* numbers : {found.offsets, found.direct, found.hidden_bias, found.output})
        std::fill_n(numbers, phases_ * kWidth, 0.0F);
    std::fill_n(found.hidden, phases_ * kWidth * kHidden, 0.0F);
    std::fill_n(found.bias, kCounts, 0.0F);
    for (std::size_t part = 0; part < kParts; ++part) {
        for (std::size_t which = 0; which < phases_; ++which) {
            const Phase& one = parts[part * phases_ + which];
            add(one.offsets, found.offsets + which * kWidth);
            add(one.direct, found.direct + which * kWidth);
            add(one.hidden_bias, found.hidden_bias + which * kWidth);
            add(one.output, found.output + which * kWidth);
            for (std::size_t lane = 0; lane < kWidth; ++lane)
                add(one.hidden[lane], found.hidden + (which * kWidth + lane) * kHidden);
        }
        for (std::size_t empties = 0; empties < kCounts; ++empties)
            found.bias[empties] += biases[part * kCounts + empties];
    }
}

Learner::Phase Learner::phase(const Arrays<const float>& of, std::size_t which) const {
    Phase one;
    std::copy_n(of.offsets + which * kWidth, kWidth, one.offsets.data());
    std::copy_n(of.direct + which * kWidth, kWidth, one.direct.data());
    std::copy_n(of.hidden_bias + which * kHidden, kHidden, one.hidden_bias.data());
    std::copy_n(of.output + which * kHidden, kHidden, one.output.data());
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        std::copy_n(of.hidden + (which * kWidth + lane) * kHidden, kHidden, one.hidden[lane].data());
    return one;
}

Learner::Passage Learner::pass(const Phase& phase, const Numbers& sum) {
    Passage out;
    Numbers products;
    for (std::size_t k = 0; k < kWidth; ++k) {
        out.active[k] = std::min(std::max(sum[k] + phase.offsets[k], 0.0F), 1.0F);
        products[k] = sum[k] * phase.direct[k];
    }
    Numbers units = phase.hidden_bias;
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        for (std::size_t k = 0; k < kHidden; ++k) units[k] += out.active[lane] * phase.hidden[lane][k];
    for (std::size_t k = 0; k < kHidden; ++k) {
        out.units[k] = std::min(std::max(units[k], 0.0F), 1.0F);
        products[k] += out.units[k] * out.units[k] * phase.output[k];
    }
    for (std::size_t k = 0; k < kWidth / 2; ++k) products[k] += products[k + kWidth / 2];
    out.margin = 0;
    for (std::size_t k = 0; k < kWidth / 2; ++k) out.margin += products[k];
    return out;
}

void Learner::sum_up(std::size_t begin, std::size_t end, const float* vectors) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::int32_t* const rows = &rows_[i * kPlaces];
        const std::int32_t* const following = i + 1 < end ? rows + kPlaces : rows;
        Numbers sum = {}, other = {};
        for (std::size_t place = 0; place < kPlaces; place += 2) {
            const float* const one = vectors + static_cast<std::size_t>(rows[place]) * kWidth;
            const float* const next = vectors + static_cast<std::size_t>(rows[place + 1]) * kWidth;
            prefetch(vectors + static_cast<std::size_t>(following[place]) * kWidth);
            prefetch(vectors + static_cast<std::size_t>(following[place + 1]) * kWidth);
            for (std::size_t k = 0; k < kWidth; ++k) sum[k] += one[k];
            for (std::size_t k = 0; k < kWidth; ++k) other[k] += next[k];
        }
        for (std::size_t k = 0; k < kWidth; ++k) sums_[i][k] = sum[k] + other[k];
    }
}

void Learner::head_back(std::size_t begin, std::size_t end, std::span<const float> slopes,
                        std::span<const Phase> phases, std::span<Phase> found, std::span<float> bias) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t which = phase_of_[empties_[i]];
        const Phase& phase = phases[which];
        Phase& to = found[which];
        const Numbers& sum = sums_[i];
        const Passage one = pass(phase, sum);
        const float slope = kDiscs * slopes[i];
        Numbers of_units;
        for (std::size_t k = 0; k < kHidden; ++k) {
            const float x = one.units[k];
            to.output[k] += slope * x * x;
            of_units[k] = x < 1 ? 2 * slope * x * phase.output[k] : 0.0F;
            to.hidden_bias[k] += of_units[k];
        }
        for (std::size_t lane = 0; lane < kWidth; ++lane) {
            const float active = one.active[lane];
            Numbers products;
            for (std::size_t k = 0; k < kHidden; ++k) {
                to.hidden[lane][k] += active * of_units[k];
                products[k] = phase.hidden[lane][k] * of_units[k];
            }
            float of_active = 0;
            for (std::size_t k = 0; k < kHidden / 2; ++k) products[k] += products[k + kHidden / 2];
            for (std::size_t k = 0; k < kHidden / 2; ++k) of_active += products[k];
            steps_[i][lane] = active > 0 && active < 1 ? of_active : 0.0F;
        }
        for (std::size_t k = 0; k < kWidth; ++k) {
            to.offsets[k] += steps_[i][k];
            to.direct[k] += slope * sum[k];
            steps_[i][k] += slope * phase.direct[k];
        }
        bias[empties_[i]] += slopes[i];
    }
}

// What is found for the vectors of one class of patterns.
void Learner::vectors_back(std::size_t of, float* vectors) const {
    const PatternWeights& shared = PatternWeights::instance();
    const int first = shared.offset(static_cast<int>(of));
    const int end = of + 1 < kClasses ? shared.offset(static_cast<int>(of) + 1) : shared.count();
    std::fill(vectors + static_cast<std::size_t>(first) * kWidth, vectors + static_cast<std::size_t>(end) * kWidth,
              0.0F);
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < kPlaces; ++place)
        if (pattern_places()[place].of == static_cast<int>(of)) places.push_back(place);
    for (std::size_t i = 0; i < count_; ++i)
        for (const std::size_t place : places) {
            float* const row = vectors + static_cast<std::size_t>(rows_[i * kPlaces + place]) * kWidth;
            for (std::size_t k = 0; k < kWidth; ++k) row[k] += steps_[i][k];
        }
}

}  // namespace tengen::reversi
