// How well a shallow search of Reversi foretells a deep one: what multi-ProbCut (Buro 1999) cuts by. Fitted to an
// evaluation by `tengen train probcut`, and again whenever that changes.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/alphabeta/position.hpp"

namespace tengen::reversi {

class ProbCut {
public:
    static constexpr int kLeast = 2;  // plies, foretold by the evaluation: less is not worth a look
    static constexpr int kNumbers = 5;

    // The logarithm of the standard deviation, in discs, of a search `deep` plies deep less one of `shallow` plies is
    // numbers[0] + [1] deep + [2] shallow + [3] empties + [4] empties^2.
    explicit ProbCut(std::span<const float, kNumbers> numbers) {
        for (int empties = 0; empties <= kMostEmpties; ++empties)
            for (int deep = kLeast; deep <= kMostEmpties; ++deep) {
                const int shallow = shallow_of(deep);
                const double e = empties;
                const double logarithm =
                    numbers[0] + numbers[1] * deep + numbers[2] * shallow + numbers[3] * e + numbers[4] * e * e;
                deviations_[at(empties)][at(deep)] = static_cast<float>(counted_of(deep) * std::exp(logarithm));
            }
    }

    // As deep as half of it, rounded so that both end with the same side to move.
    static int shallow_of(int deep) { return 2 * (deep / 4) + deep % 2; }

    // In units of `disc`; no deviation for depths that are not looked at.
    alphabeta::Foretelling at(int empties, int deep, double disc) const {
        if (deep < kLeast || deep > kMostEmpties) return {};
        return {shallow_of(deep), disc * static_cast<double>(deviations_[at(empties)][at(deep)])};
    }

private:
    static constexpr int kMostEmpties = 60;
    // How much of a deviation counts. By matches of 800 games at depth 8: 50.8 % with 0.8 up to ten plies, 51.2 % with
    // 0.7 beyond, each with fewer nodes than with all of it.
    static double counted_of(int deep) { return deep <= 4 ? 1 : deep <= 10 ? 0.8 : 0.6; }
    static std::size_t at(int number) { return static_cast<std::size_t>(std::min(number, kMostEmpties)); }

    std::array<std::array<float, kMostEmpties + 1>, kMostEmpties + 1> deviations_{};
};

}  // namespace tengen::reversi
