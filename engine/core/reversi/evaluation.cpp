#include "core/reversi/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace tengen::reversi {

int MobilityEvaluation::evaluate(Bits own, Bits enemy) {
    const Bits empty = ~(own | enemy), can = moves(own, enemy), replies = moves(enemy, own);
    const int empties = count(empty);
    const auto difference = [](Bits a, Bits b) { return count(a) - count(b); };
    const Bits near_corners = ((empty & 1ULL) << 9) | ((empty & 1ULL << 7) << 7) | ((empty & 1ULL << 56) >> 7) |
                              ((empty & 1ULL << 63) >> 9);  // X squares whose corner is empty
    int sum = 24 * difference(can, replies) - 6 * (count_contacts(own, empty) - count_contacts(enemy, empty));
    sum += 8 * kDisc * difference(own & kCorners, enemy & kCorners);
    sum += 3 * kDisc * difference(can & kCorners, replies & kCorners);
    sum -= 3 * kDisc * difference(own & near_corners, enemy & near_corners);
    if (empties < 16) sum += (16 - empties) * kDisc / 16 * difference(own, enemy);
    return std::clamp(sum, -kCells * kDisc, kCells * kDisc);
}

PatternTables::PatternTables(const Weights& weights) {
    if (PatternNetwork::is_in(weights))
        network_.emplace(weights);
    else
        unpack(weights);
    for (const auto& entry : weights.entries())
        if (entry.name == "probcut") {
            const auto numbers = weights.get<float>("probcut", {std::tuple_size_v<ProbCutNumbers>});
            std::copy(numbers.begin(), numbers.end(), probcut_.emplace().begin());
        }
}

void PatternTables::unpack(const Weights& weights) {
    const PatternWeights& shared = PatternWeights::instance();
    const auto packed = weights.get<std::int16_t>("patterns", {-1, shared.count()});
    const auto bias = weights.get<std::int16_t>("bias", {kCells - 3});
    const auto phases = packed.size() / static_cast<std::size_t>(shared.count());
    if (phases == 0) throw std::invalid_argument("there are no phases");
    std::array<std::size_t, kClasses> begins{};
    std::size_t size = 0;
    for (std::size_t of = 0; of < kClasses; ++of) {
        begins[of] = size;
        size += shared.packed(static_cast<int>(of)).size();
    }
    tables_.resize(phases * size);
    for (std::size_t phase = 0; phase < phases; ++phase)
        for (std::size_t of = 0; of < kClasses; ++of) {
            const auto map = shared.packed(static_cast<int>(of));
            const std::size_t from = phase * static_cast<std::size_t>(shared.count()) +
                                     static_cast<std::size_t>(shared.offset(static_cast<int>(of)));
            for (std::size_t i = 0; i < map.size(); ++i)
                tables_[phase * size + begins[of] + i] = packed[from + static_cast<std::size_t>(map[i])];
        }
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const PatternPlace& one = pattern_places()[place];
        centres_[place] = static_cast<int>(begins[static_cast<std::size_t>(one.of)]) + centre_of(one.size);
    }
    for (std::size_t empties = 0; empties <= kCells; ++empties) {
        const std::size_t within = std::min<std::size_t>(empties, kCells - 4);
        phase_at_[empties] = std::min((kCells - 4 - within) * phases / (kCells - 3), phases - 1) * size;
        bias_[empties] = bias[within];
    }
}

std::shared_ptr<const PatternTables> PatternTables::of(const std::shared_ptr<const Weights>& weights) {
    static std::mutex mutex;
    static std::vector<std::pair<std::weak_ptr<const Weights>, std::weak_ptr<const PatternTables>>> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.first.expired() || one.second.expired(); });
    for (const auto& [of, tables] : known)
        if (of.lock() == weights)
            if (auto found = tables.lock()) return found;
    auto made = std::make_shared<const PatternTables>(*weights);
    known.emplace_back(weights, made);
    return made;
}

}  // namespace tengen::reversi
