// How well a shallow search of Reversi predicts a deep one: what multi-ProbCut (Buro 1999) cuts by. Fitted to an
// evaluation by `tengen train probcut`, and again whenever that changes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/alphabeta/position.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/reversi/tuning.hpp"

namespace tengen::reversi {

class ProbCut {
public:
    // The logarithm of the standard deviation, in discs, of a search `deep` plies deep less one of `shallow` plies is
    // numbers[0] + [1] deep + [2] shallow + [3] empties + [4] empties^2.
    ProbCut(const ProbCutNumbers& numbers, const PositionTuning& tuning) : least_(tuning.probcut_depth) {
        for (int empties = 0; empties <= kMostEmpties; ++empties)
            for (int deep = least_; deep <= kMostEmpties; ++deep) {
                const int shallow = shallow_of(deep);
                const double e = empties;
                const double logarithm =
                    numbers[0] + numbers[1] * deep + numbers[2] * shallow + numbers[3] * e + numbers[4] * e * e;
                deviations_[at(empties)][at(deep)] = static_cast<float>(share_of(deep, tuning) * std::exp(logarithm));
            }
    }

    // As deep as half of it, rounded so that both end with the same side to move.
    static int shallow_of(int deep) { return 2 * (deep / 4) + deep % 2; }

    // In units of `disc`; no deviation for depths that are not looked at.
    alphabeta::ProbCutCheck at(int empties, int deep, double disc) const {
        if (deep < least_ || deep > kMostEmpties) return {};
        return {shallow_of(deep), disc * static_cast<double>(deviations_[at(empties)][at(deep)])};
    }

private:
    static constexpr int kMostEmpties = 60;
    // How much of a deviation counts.
    static double share_of(int deep, const PositionTuning& tuning) {
        return deep <= tuning.probcut_near  ? tuning.probcut_share_near
               : deep <= tuning.probcut_far ? tuning.probcut_share
                                            : tuning.probcut_share_far;
    }
    static std::size_t at(int number) { return static_cast<std::size_t>(std::min(number, kMostEmpties)); }

    int least_;
    std::array<std::array<float, kMostEmpties + 1>, kMostEmpties + 1> deviations_{};
};

}  // namespace tengen::reversi
