// The meaning of the outputs of a KataGo network, a row a position (engine/evaluators/katago/answers.py).
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/bind/arrays.hpp"
#include "core/bind/bind.hpp"
#include "core/bind/floats.hpp"

namespace tengen::bind {
namespace {

constexpr int kKoRule = 6, kTerritory = 9;  // globals: 0 where the ko rule is the simple one; 1 where territory scores
constexpr int kMean = 0, kStdev = 1, kTimeLeft = 2, kValueError = 3, kScoreError = 4, kFacts = 5;
constexpr std::size_t kScores = 6;

// score_mean, score_stdev, lead, variance_time, shortterm_value_error, shortterm_score_error
using Scales = std::array<double, 6>;
using Floats1 = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
using Floats2 = nb::ndarray<nb::numpy, float, nb::ndim<2>>;
using Found = std::tuple<Floats2, Floats2, Floats1, Floats2, Floats2>;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// How far value (0) or score (1) is from settled, by the version's formula.
double error_of(int version, double output, int which, double scale) {
    if (version >= 14) return softplus(output / 2) * std::sqrt(scale);
    if (version >= 10) return std::sqrt(softplus(output) * scale);
    return softplus(output) * (which == 0 ? 1.0 : 10.0);
}

// Win, no result, loss, of logits of win, loss, no result. Without result ends only what repeats under a simple ko
// rule, or territory.
void read_value(const float* logits, bool can_be_without, float* out) {
    const float ordered[] = {logits[0], logits[2], logits[1]};
    const float most =
        can_be_without ? std::max({ordered[0], ordered[1], ordered[2]}) : std::max(ordered[0], ordered[2]);
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
        out[k] = k == 1 && !can_be_without ? 0.0f : std::exp(ordered[k] - most);
        sum += out[k];
    }
    for (int k = 0; k < 3; ++k) out[k] /= sum;
}

void read_scores(const float* scores, int version, double decided, const Scales& scales, float& lead, float* facts,
                 std::size_t rows) {
    const auto put = [&](int fact, double value) {
        facts[static_cast<std::size_t>(fact) * rows] = static_cast<float>(value);
    };
    put(kMean, scores[0] * scales[0] * decided);
    put(kStdev, softplus(scores[1]) * scales[1]);
    lead = static_cast<float>(scores[2] * scales[2] * decided);
    if (version < 9) return;
    put(kTimeLeft, softplus(scores[3]) * scales[3]);
    put(kValueError, error_of(version, scores[4], 0, scales[4]));
    put(kScoreError, error_of(version, scores[5], 1, scales[5]));
}

Found katago_answers(const FloatsIn<3>& policy, const FloatsIn<2>& value, const FloatsIn<2>& score,
                     const FloatsIn<2>& ownership, const FloatsIn<2>& numbers, std::optional<FloatsIn<1>> optimism,
                     const Scales& scales, int version) {
    const std::size_t rows = policy.shape(0), policies = policy.shape(1), moves = policy.shape(2);
    const std::size_t cells = ownership.shape(1), columns = score.shape(1), globals = numbers.shape(1);
    if (policies == 0 || value.shape(0) != rows || score.shape(0) != rows || ownership.shape(0) != rows ||
        numbers.shape(0) != rows || value.shape(1) != 3 || columns < (version >= 9 ? kScores : 3) ||
        globals <= kTerritory || (optimism && (optimism->shape(0) != rows || policies < 2)))
        throw nb::value_error("the outputs of a network have a row for each position, and the columns of its version");
    auto logits = make_array<float>(rows, moves), values = make_array<float>(rows, std::size_t{3});
    auto owners = make_array<float>(rows, cells), facts = make_array<float>(std::size_t{kFacts}, rows);
    auto leads = make_array<float>(rows);
    std::fill_n(facts.data(), kFacts * rows, 0.0f);
    for (std::size_t i = 0; i < rows; ++i) {
        const float* first = policy.data() + i * policies * moves;
        float* out = logits.data() + i * moves;
        std::copy_n(first, moves, out);
        if (optimism)
            for (std::size_t k = 0; k < moves; ++k) out[k] += (first[moves + k] - first[k]) * optimism->data()[i];
        const float* about = numbers.data() + i * globals;
        const bool can_be_without = about[kKoRule] == 0 || about[kTerritory] != 0;
        float* chances = values.data() + 3 * i;
        read_value(value.data() + 3 * i, can_be_without, chances);
        read_scores(score.data() + i * columns, version, 1.0 - chances[1], scales, leads.data()[i], facts.data() + i,
                    rows);
        for (std::size_t k = 0; k < cells; ++k)
            owners.data()[i * cells + k] = std::tanh(ownership.data()[i * cells + k]);
    }
    return {logits, values, leads, owners, facts};
}

template <class Array>
bool is_finite(const Array& array) {
    return std::all_of(array.data(), array.data() + array.size(), [](float one) { return std::isfinite(one); });
}

using AnyFloats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

}  // namespace
}  // namespace tengen::bind

void tengen::bind_katago_answers(nanobind::module_& module) {
    using namespace nanobind::literals;
    module.def("katago_answers", &bind::katago_answers, "policy"_a, "value"_a, "score"_a, "ownership"_a, "numbers"_a,
               "optimism"_a.none(), "scales"_a, "version"_a,
               "(policies, n x moves; values, n x 3: win, no result, loss; leads, n; owners, n x cells; facts, 5 x n: "
               "score_mean, score_stdev, var_time_left, shortterm_value_error, shortterm_score_error) of the outputs "
               "of a KataGo network of a version: see engine/evaluators/katago/answers.py. policy: n x policies x "
               "moves; optimism: of each row, of networks with two policies. Raises ValueError for other shapes.");
    module.def(
        "is_finite", [](const bind::AnyFloats& array) { return bind::is_finite(array); }, "array"_a,
        "Whether all numbers of an array of float32 are finite.");
}
