#include "core/go/katago_features.hpp"

#include <algorithm>
#include <cmath>

#include "core/go/katago_area.hpp"
#include "core/go/katago_ladders.hpp"
#include "core/go/policy.hpp"

namespace tengen::go {

namespace {

// Points that White gets beyond the area: komi, and under territory scoring a point for every stone that Black played
// or had, less one for every stone of White.
template <int N>
float white_points(const State<N>& state) {
    if (state.rules().scoring == Scoring::kArea) return state.komi();
    const Board<N>& board = state.board();
    int stones = board.captured(kBlack) - board.captured(kWhite);
    for_each_point(board, [&](int p) { stones += (board.stone(p) == kBlack) - (board.stone(p) == kWhite); });
    return state.komi() + static_cast<float>(stones);
}

// A triangle wave of period 2 through 0 at the komis that can draw, 1/2 above them at its height.
float komi_wave(float komi, int cells) {
    const float odd = static_cast<float>(cells % 2);
    const float above = komi - (std::floor((komi - odd) / 2) * 2 + odd);  // the nearest below that can draw
    if (above < 0.5F) return above;
    return above < 1.5F ? 1 - above : above - 2;
}

template <int N>
class Encoder {
    using B = Board<N>;

public:
    Encoder(const State<N>& state, const Past<State<N>>& past, int symmetry, const KataFacts& facts, float* planes,
            float* globals)
        : state_(state),
          board_(state.board()),
          past_(past),
          facts_(facts),
          cells_(state.cells()),
          own_(state.stone_to_move()),
          symmetry_(symmetry),
          planes_(planes),
          globals_(globals) {
        std::fill(planes, planes + KataV7::kPlanes * cells_, 0.0F);
        std::fill(globals, globals + KataV7::kGlobals, 0.0F);
    }

    void stones() {
        std::fill(planes_, planes_ + cells_, 1.0F);
        for_each_point(board_, [&](int p) {
            if (board_.stone(p) == kEmpty) return;
            mark(board_.stone(p) == own_ ? 1 : 2, p);
            if (board_.head(p) != p) return;
            const int liberties = board_.count_liberties(p, 4);
            if (liberties < 4) mark_chain(2 + std::max(liberties, 1), p);
        });
        if (board_.ko() != B::kNone && board_.ko_stone() == own_) mark(6, board_.ko());
        for (int p : past_.banned) mark(6, p);
    }

    // The last moves, as far as they are known; -> how many.
    int moves() {
        const int most = std::min(shown(), static_cast<int>(past_.recent.size()));
        for (int i = 0; i < most; ++i) {
            const int move = past_.recent[past_.recent.size() - 1 - static_cast<std::size_t>(i)];
            if (move < 0) return i;
            if (move == State<N>::kPass)
                globals_[i] = 1;
            else
                mark(9 + i, move);
        }
        return most;
    }

    // Ladders now and, where the moves since are shown, earlier; else the oldest that is known stands for them.
    void ladders(int known) {
        mark_all(14, remembered_ladders(board_).captured, 1);
        mark_all(17, remembered_ladders(board_).moves, 3 - own_);
        known = std::min(known, static_cast<int>(past_.earlier.size()));
        const B* board = &board_;
        for (int back = 1; back <= KataV7::kEarlier; ++back) {
            if (back <= known) board = &past_.earlier[past_.earlier.size() - static_cast<std::size_t>(back)]->board();
            mark_all(14 + back, remembered_ladders(*board).captured, 1);
        }
    }

    void area() {
        if (state_.rules().scoring != Scoring::kArea) return;
        PointMap<N> owner;
        katago_area(board_, state_.rules().tax, state_.rules().suicide || facts_.suicide_in_life, owner);
        mark_owned(18, owner, own_);
        mark_owned(19, owner, 3 - own_);
    }

    void rules() {
        const Rules& rules = state_.rules();
        const float most = static_cast<float>(cells_) + kKomiBeyond;
        const float white = white_points(state_);
        const float komi = std::clamp(own_ == kWhite ? white : -white, -most, most);
        globals_[5] = komi / 20;
        if (rules.ko != Ko::kSimple) {
            globals_[6] = 1;
            globals_[7] = rules.ko == Ko::kPositional ? 0.5F : -0.5F;
        }
        globals_[8] = rules.suicide;
        globals_[9] = rules.scoring == Scoring::kTerritory;
        globals_[10] = rules.tax != Tax::kNone;
        globals_[11] = rules.tax == Tax::kAll;
        globals_[14] = pass_ends() && !hides_end();
        globals_[15] = facts_.doublings != 0;
        globals_[16] = facts_.doublings / 2;
        globals_[17] = facts_.has_button || state_.has_button();
        if (rules.scoring == Scoring::kArea) globals_[18] = komi_wave(komi, cells_);
    }

private:
    static constexpr float kKomiBeyond = 20;  // a komi is told as one of at most so many points beyond the board

    bool pass_ends() const { return state_.passes() >= 1; }
    bool hides_end() const {
        const bool hides = facts_.hides_end || (facts_.friendly_pass && state_.passes() == 1);
        return hides && pass_ends() && state_.rules().scoring == Scoring::kArea;
    }
    int shown() const {
        if (hides_end()) return 0;
        return state_.is_terminal() ? 1 : KataV7::kRecent;
    }

    void mark(int plane, int p) {
        planes_[plane * cells_ + policy_index(board_.cell(p), board_.width(), board_.height(), symmetry_)] = 1;
    }
    void mark_chain(int plane, int p) {
        int s = p;
        do {
            mark(plane, s);
            s = board_.next(s);
        } while (s != p);
    }
    void mark_all(int plane, const PointMap<N>& map, int bits) {
        for_each_point(board_, [&](int p) {
            if (map[static_cast<std::size_t>(p)] & bits) mark(plane, p);
        });
    }
    void mark_owned(int plane, const PointMap<N>& owner, int stone) {
        for_each_point(board_, [&](int p) {
            if (owner[static_cast<std::size_t>(p)] == stone) mark(plane, p);
        });
    }

    const State<N>& state_;
    const B& board_;
    const Past<State<N>>& past_;
    const KataFacts& facts_;
    int cells_, own_, symmetry_;
    float *planes_, *globals_;
};

}  // namespace

const FeatureSet& KataV7::set() {
    static const FeatureSet set{
        .game = "go",
        .name = "katago-v7",
        .planes = {"on_board", "own",         "enemy",       "liberties_1", "liberties_2", "liberties_3",
                   "banned",   "encore_ko_1", "encore_ko_2", "recent_1",    "recent_2",    "recent_3",
                   "recent_4", "recent_5",    "ladder",      "ladder_1",    "ladder_2",    "ladder_moves",
                   "own_area", "enemy_area",  "own_encore",  "enemy_encore"},
        .globals = {"passed_1", "passed_2", "passed_3", "passed_4", "passed_5", "komi", "superko", "superko_kind",
                    "suicide", "territory", "tax", "tax_all", "encore_1", "encore_2", "pass_ends", "handicap",
                    "doublings", "button", "komi_wave"},
        .recent = kRecent,
        .earlier = kEarlier,
        .has_komi = true,
        .has_rules = true,
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = policy_index,
    };
    return set;
}

template <int N>
void KataV7::encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float* globals,
                    const KataFacts& facts) {
    Encoder<N> encoder(state, past, symmetry, facts, planes, globals);
    encoder.stones();
    encoder.ladders(encoder.moves());
    encoder.area();
    encoder.rules();
}

static_assert(FeatureEncoder<KataV7, State<9>>);

#define TENGEN_INSTANTIATE(N) \
    template void KataV7::encode<N>(const State<N>&, const Past<State<N>>&, int, float*, float*, const KataFacts&);
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
