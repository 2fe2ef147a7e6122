// Noise that self-play explores the root with: shaped Dirichlet (KataGo's SelfplayTraining.md), Gumbel.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"

namespace tengen::mcts {

// A number in (0, 1).
inline double inner_uniform(Random& random) { return std::max(random.uniform(), 0x1.0p-53); }

inline double gumbel_sample(Random& random) { return -std::log(-std::log(inner_uniform(random))); }

inline double normal_sample(Random& random) {  // Box & Muller
    const double radius = std::sqrt(-2 * std::log(inner_uniform(random)));
    return radius * std::cos(2 * 3.14159265358979323846 * random.uniform());
}

// Draw from the gamma distribution of scale 1 (Marsaglia & Tsang 2000), for any shape above 0.
inline double gamma_sample(double shape, Random& random) {
    if (shape < 1) return gamma_sample(shape + 1, random) * std::pow(inner_uniform(random), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = normal_sample(random), v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(inner_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

// Concentration of the noise on each move: half the same on all, half by how far the logarithm of the policy, capped at
// a hundredth, is above its mean.
inline std::vector<double> noise_shape(const std::vector<double>& policy, double concentration) {
    std::vector<double> above;
    double mean = 0, total = 0;
    for (const double p : policy)
        mean += above.emplace_back(std::log(std::min(p, 0.01) + 1e-20)) / static_cast<double>(policy.size());
    for (double& a : above) total += a = std::max(0.0, a - mean);
    const double same = 1 / static_cast<double>(policy.size());
    for (double& a : above) a = concentration * (total > 1e-9 ? 0.5 * (a / total + same) : same);
    return above;
}

inline std::vector<double> dirichlet_sample(const std::vector<double>& shape, Random& random) {
    std::vector<double> out;
    double total = 0;
    for (const double a : shape) total += out.emplace_back(gamma_sample(a, random));
    for (double& x : out) x = total > 0 ? x / total : 1 / static_cast<double>(shape.size());
    return out;
}

}  // namespace tengen::mcts
