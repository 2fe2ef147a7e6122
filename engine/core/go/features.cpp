#include "core/go/features.hpp"

#include <algorithm>

#include "core/go/benson.hpp"
#include "core/go/ladder.hpp"
#include "core/go/policy.hpp"

namespace tengen::go {

namespace {

constexpr int kLadderFeatureNodes = 500;  // a plain ladder across 19x19 takes about 150

template <int N>
class Encoder {
public:
    Encoder(const State<N>& state, int symmetry, float* out)
        : state_(state),
          board_(state.board()),
          cells_(state.cells()),
          own_(state.stone_to_move()),
          symmetry_(symmetry),
          out_(out) {
        std::fill(out, out + GoV1::kPlanes * cells_, 0.0F);
    }

    void stones() {
        for_each_point(board_, [&](int p) {
            const int stone = board_.stone(p);
            if (stone == kEmpty) return;
            mark(stone == own_ ? 1 : 2, p);
            if (board_.head(p) != p) return;
            const int liberties = board_.count_liberties(p, 4);
            const bool ladder = liberties <= 2 && is_ladder(board_, p, kLadderFeatureNodes);
            int s = p;
            do {
                mark(2 + std::max(liberties, 1), s);
                if (ladder) mark(stone == own_ ? 21 : 22, s);
                s = board_.next(s);
            } while (s != p);
        });
    }

    void moves(const Past<State<N>>& past) {
        const std::span<const int> recent = past.recent;
        if (board_.ko() != 0 && board_.ko_stone() == own_) mark(7, board_.ko());
        for (int p : past.banned) mark(7, p);
        for (int i = 0; i < GoV1::kRecent && i < static_cast<int>(recent.size()); ++i) {
            const int move = recent[recent.size() - 1 - static_cast<std::size_t>(i)];
            if (move > 0) mark(8 + i, move);
        }
    }

    void facts() {
        const Rules& rules = state_.rules();
        fill(0, 1);
        fill(13, state_.passes() > 0);
        fill(14, (own_ == kWhite ? state_.komi() : -state_.komi()) / 15);
        fill(15, rules.scoring == Scoring::kArea);
        fill(16, rules.tax == Tax::kSeki);
        fill(17, rules.tax == Tax::kAll);
        fill(18, rules.ko == Ko::kPositional);
        fill(19, rules.ko == Ko::kSituational);
        fill(20, rules.suicide);
    }

    void life() {
        PointMap<N> alive;
        for (int enemy : {0, 1}) {
            pass_alive(board_, enemy ? 3 - own_ : own_, state_.rules().suicide, alive);
            for_each_point(board_, [&](int p) {
                if (alive[p]) mark(23 + enemy, p);
            });
        }
    }

private:
    void mark(int plane, int p) {
        const int cell = policy_index(board_.cell(p), board_.width(), board_.height(), symmetry_);
        out_[plane * cells_ + cell] = 1;
    }
    void fill(int plane, float value) { std::fill(out_ + plane * cells_, out_ + (plane + 1) * cells_, value); }

    const State<N>& state_;
    const Board<N>& board_;
    int cells_, own_, symmetry_;
    float* out_;
};

}  // namespace

const FeatureSet& GoV1::set() {
    static const FeatureSet set{
        .game = "go",
        .name = "go-v1",
        .planes = {"on_board",     "own",          "enemy",        "liberties_1",    "liberties_2",
                   "liberties_3",  "liberties_4+", "banned",       "recent_1",       "recent_2",
                   "recent_3",     "recent_4",     "recent_5",     "passed",         "komi",
                   "area_scoring", "tax_seki",     "tax_all",      "positional_ko",  "situational_ko",
                   "suicide",      "own_ladder",   "enemy_ladder", "own_pass_alive", "enemy_pass_alive"},
        .globals = {},
        .recent = kRecent,
        .has_komi = true,
        .has_rules = true,
        .symmetries = symmetry_count,
        .policy_size = policy_size,
        .policy_index = policy_index,
    };
    return set;
}

template <int N>
void GoV1::encode(const State<N>& state, const Past<State<N>>& past, int symmetry, float* planes, float*) {
    Encoder<N> encoder(state, symmetry, planes);
    encoder.facts();
    encoder.stones();
    encoder.moves(past);
    encoder.life();
}

static_assert(FeatureEncoder<GoV1, State<9>>);

#define TENGEN_INSTANTIATE(N) \
    template void GoV1::encode<N>(const State<N>&, const Past<State<N>>&, int, float*, float*);
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
