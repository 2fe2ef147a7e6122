// The strong evaluator without a network: playouts that answer the last move, and priors from the same knowledge.
//
// A playout move is, in this order: capture or escape at chains that the last move touched, an atari, the vital point
// of a small eye space, a 3x3 pattern around the last move, else a random point that is no self-atari.
// Ideas: MoGo (Gelly et al. 2006), Pachi's Moggy policy (Baudis & Gailly 2011); priors after Chaslot et al. 2010.
#pragma once

#include <array>
#include <span>

#include "core/concepts.hpp"
#include "core/go/state.hpp"
#include "core/go/uniform.hpp"
#include "core/search/options.hpp"

namespace tengen::go {

struct TacticalSettings {
    double capture = 0.9, atari = 0.2, nakade = 0.3, pattern = 0.95, self_atari = 0.95, throw_in = 0.5;
    double prior_even = 7, prior_capture = 15, prior_capture_many = 30, prior_pattern = 10, prior_self_atari = 15;
    double prior_near = 20, prior_edge = 10, prior_pass = 10;
    double prior_open = 200, prior_corner = 300;
};

inline constexpr Option<TacticalSettings> kTacticalOptions[] = {
    {"capture", &TacticalSettings::capture, 0, 1, "playouts: chance to look for captures and escapes"},
    {"atari", &TacticalSettings::atari, 0, 1, "playouts: chance to put a two-liberty chain in atari"},
    {"nakade", &TacticalSettings::nakade, 0, 1, "playouts: chance to play the vital point of three"},
    {"pattern", &TacticalSettings::pattern, 0, 1, "playouts: chance to look for a 3x3 pattern"},
    {"self_atari", &TacticalSettings::self_atari, 0, 1, "playouts: chance to reject a self-atari of several stones"},
    {"throw_in", &TacticalSettings::throw_in, 0, 1, "playouts: chance to reject a self-atari of one stone"},
    {"prior_even", &TacticalSettings::prior_even, 0, 1000, "virtual visits at one half"},
    {"prior_capture", &TacticalSettings::prior_capture, 0, 1000, "virtual wins for capturing or saving one stone"},
    {"prior_capture_many", &TacticalSettings::prior_capture_many, 0, 1000, "... several stones"},
    {"prior_pattern", &TacticalSettings::prior_pattern, 0, 1000, "virtual wins for a 3x3 pattern"},
    {"prior_self_atari", &TacticalSettings::prior_self_atari, 0, 1000, "virtual losses for a self-atari"},
    {"prior_near", &TacticalSettings::prior_near, 0, 1000,
     "virtual wins next to the last move; less two and three away"},
    {"prior_edge", &TacticalSettings::prior_edge, 0, 1000, "virtual losses on the empty first line, wins on the third"},
    {"prior_open", &TacticalSettings::prior_open, 0, 10000,
     "virtual losses on the first line where nothing is at stake yet, half of them on the second"},
    {"prior_corner", &TacticalSettings::prior_corner, 0, 10000,
     "virtual wins on the third and fourth line of an empty corner, from 13x13"},
    {"prior_pass", &TacticalSettings::prior_pass, 0, 1000, "virtual losses for a pass"},
};

template <int N>
class TacticalEvaluator {
public:
    static constexpr bool kUsesAmaf = true;
    using BoardType = Board<N>;

    explicit TacticalEvaluator(const TacticalSettings& settings) : settings_(settings) {}

    void priors(const State<N>& state, std::span<const int> moves, Prior* out) const;
    float evaluate(State<N>& state, Random& random, Trace& trace) const;
    void add_ownership(const State<N>& state, std::int32_t* ownership) const {
        add_playout_ownership(state.board(), ownership);
    }

    // The next move of a playout; kPass when nothing sensible is left.
    int playout_move(const State<N>& state, Random& random) const;

private:
    struct Candidates {
        int size = 0;
        std::array<int, 64> points;
        void add(int p) {
            for (int i = 0; i < size; ++i)
                if (points[static_cast<std::size_t>(i)] == p) return;
            if (size < 64) points[static_cast<std::size_t>(size++)] = p;
        }
    };
    void add_escapes(const BoardType& board, int chain, int stone, Candidates& out) const;
    void add_captures(const BoardType& board, int last, int stone, Candidates& out) const;
    int atari_move(const BoardType& board, int last, int stone, Random& random) const;
    int pattern_move(const BoardType& board, int last, int last2, int stone, Random& random) const;
    int random_sensible_move(const BoardType& board, int stone, Random& random) const;
    bool is_acceptable(const BoardType& board, int p, int stone, Random& random) const;

    TacticalSettings settings_;
};

extern template class TacticalEvaluator<9>;
extern template class TacticalEvaluator<13>;
extern template class TacticalEvaluator<19>;
extern template class TacticalEvaluator<25>;

}  // namespace tengen::go
