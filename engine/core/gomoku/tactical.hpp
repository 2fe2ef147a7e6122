// The strong evaluator without a network: forced moves first, priors from line shapes, playouts that do not blunder.
//
// A playout goes on while somebody could win or make an open four: take the win, stop the enemy's, else answer the
// open four or make fours. A quiet position is judged by its shapes. Proofs: a five; an open four when the enemy has
// no five; two enemy fives; a win by continuous fours. Everything proved is exact, so the search may cut on it.
// Ideas: Allis, van den Herik & Huntjens 1996 (threat spaces); Rosin 2011 (PUCT).
#pragma once

#include <array>
#include <span>

#include "core/concepts.hpp"
#include "core/gomoku/four_search.hpp"
#include "core/gomoku/tactics.hpp"
#include "core/gomoku/uniform.hpp"
#include "core/search/options.hpp"

namespace tengen::gomoku {

// Matches of 60 to 100 paired games at 600 playouts: playout_moves 0 scored 63 % against 12, 63 % against 3;
// prior_temperature 1.8 60 % against the hand-made priors; candidates 14 44 % and 40 41 % against 24.
struct TacticalSettings {
    double candidates = 24, root_candidates = 60;
    double four_search = 100, root_four_search = 8000;
    double prior_temperature = 2.0, playout_temperature = 0.7;
    double playout_moves = 0, playout_share = 1.0, static_weight = 1.0;
};

inline constexpr Option<TacticalSettings> kTacticalOptions[] = {
    {"candidates", &TacticalSettings::candidates, 1, 625, "moves tried in a quiet position, best by shapes first",
     Kind::whole},
    {"root_candidates", &TacticalSettings::root_candidates, 1, 625, "... at the root", Kind::whole},
    {"four_search", &TacticalSettings::four_search, 0, 1e6, "positions of a search for a win by continuous fours",
     Kind::whole},
    {"root_four_search", &TacticalSettings::root_four_search, 0, 1e8, "... at the root", Kind::whole},
    {"prior_temperature", &TacticalSettings::prior_temperature, 0.1, 10, "of the probabilities from shapes"},
    {"playout_temperature", &TacticalSettings::playout_temperature, 0.1, 10, "... in playouts"},
    {"playout_moves", &TacticalSettings::playout_moves, 0, 625,
     "length after which a quiet playout is judged by shapes", Kind::whole},
    {"playout_share", &TacticalSettings::playout_share, 0, 1, "weight of the playout against the leaf's own shapes"},
    {"static_weight", &TacticalSettings::static_weight, 0, 10, "how sure the judgement by shapes is; 0: always even"},
};

template <int N>
class TacticalEvaluator {
public:
    using S = TacticalState<N>;
    static constexpr bool kUsesAmaf = false, kPolicyPriors = true, kMarginIsValue = true;

    explicit TacticalEvaluator(const TacticalSettings& settings);

    Advice advise(const S& state, bool at_root, int* moves);
    void priors(const S& state, std::span<const int> moves, Prior* out) const;
    float evaluate(S& state, Random& random, Trace& trace) const;
    void add_ownership(const S& state, std::int32_t* ownership) const { add_stones(state, ownership); }

private:
    int quiet_moves(const S& state, int most, int* moves) const;
    int playout_move(const S& state, Random& random, int& winner) const;
    int weighted(const S& state, std::span<const int> cells, Random& random) const;
    float static_value(const S& state) const;
    static constexpr int kLowest = -64, kHighest = 191;  // scores beyond are cut
    float weight(int score) const {
        return weights_[static_cast<std::size_t>(std::clamp(score, kLowest, kHighest) - kLowest)];
    }

    TacticalSettings settings_;
    std::array<float, kHighest - kLowest + 1> weights_;
    FourSearch<N> fours_;
};

extern template class TacticalEvaluator<15>;
extern template class TacticalEvaluator<25>;

}  // namespace tengen::gomoku
