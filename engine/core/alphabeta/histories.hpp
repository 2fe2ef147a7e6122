// What one thread has learned of moves: killers (moves that refuted a sibling), counter moves, and how
// often a move was best anywhere (history), after the moves before it (continuation history) or by what it took; and of
// the evaluation (corrections). It only orders moves, and says which to look at less.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/alphabeta/corrections.hpp"
#include "core/alphabeta/position.hpp"

namespace tengen::alphabeta {

// How many plies ago the deeds were that a move's history goes by.
inline constexpr std::array<int, 3> kAgo{1, 2, 4};

// Where a move is tried: so many plies below the root, after these moves (-1: none) and deeds (-1: none).
struct Scene {
    int ply = 0, previous = -1;
    std::array<int, kAgo.size()> deeds{-1, -1, -1};  // by kAgo
};

template <Position P>
class Learned {
public:
    static constexpr int kMost = 16384;  // of a move's history, either way

    explicit Learned(const Tuning& tuning)
        : corrections(tuning), tuning_(tuning), history_(2 * kBound), counters_(2 * kBound, -1) {
        forget_killers();
        if constexpr (RemembersDeeds<P>) {
            after_.resize(2 * kDeeds * kDeeds);
            prizes_.resize(kDeeds * static_cast<std::size_t>(P::kPrizes));
        }
    }

    // Another run begins: killers hold at their ply alone. The rest is kept where deeds are remembered, which takes longer
    // to learn than a run lasts.
    void begin() {
        if constexpr (RemembersDeeds<P>)
            forget_killers();
        else
            *this = Learned(tuning_);
    }

    // What a quiet move is worth; more is tried earlier.
    int worth(const P& position, int move, const Scene& scene) const {
        const int player = position.to_move();
        const auto& killers = killers_[static_cast<std::size_t>(scene.ply)];
        int worth = history(position, move, scene);
        if (move == killers[0]) worth += tuning_.killer_first;
        if (move == killers[1]) worth += tuning_.killer_second;
        if (scene.previous >= 0 && counters_[at(player, scene.previous)] == move) worth += tuning_.counter_move;
        return worth;
    }
    // Of a quiet move: within kMost either way, and as much for each of kAgo, by its share, where deeds are remembered.
    int history(const P& position, int move, const Scene& scene) const {
        int out = history_[at(position.to_move(), move)];
        if constexpr (RemembersDeeds<P>) {
            const int deed = position.deed(move);
            for_each_ago([&](auto i) {
                if (scene.deeds[i] >= 0) out += shared<i>(after_[after(i, scene.deeds[i], deed)]);
            });
        }
        return out;
    }
    bool is_killer(int move, const Scene& scene) const {
        const auto& killers = killers_[static_cast<std::size_t>(scene.ply)];
        return move == killers[0] || move == killers[1];
    }
    // Of a tactical move, within kMost either way.
    int tactical_history(const P& position, int move) const {
        if constexpr (RemembersDeeds<P>) return prizes_[taken(position, move)];
        return 0;
    }

    // A move was too good; those tried before were not.
    void reward(const P& position, int move, bool is_quiet, const Scene& scene, int depth, const int* quiet,
                int quiet_count, const int* tactical, int tactical_count) {
        const int bonus = bonus_at(depth), player = position.to_move();
        if (is_quiet) {
            shift_quiet(position, move, scene, bonus);
            for (int i = 0; i < quiet_count; ++i) shift_quiet(position, quiet[i], scene, -bonus);
            auto& killers = killers_[static_cast<std::size_t>(scene.ply)];
            if (killers[0] != move) killers = {move, killers[0]};
            if (scene.previous >= 0) counters_[at(player, scene.previous)] = move;
        }
        if constexpr (RemembersDeeds<P>) {
            if (!is_quiet) shift(prizes_[taken(position, move)], bonus);
            for (int i = 0; i < tactical_count; ++i) shift(prizes_[taken(position, tactical[i])], -bonus);
        }
    }

    // A quiet move of the side that is not to move was good enough, for nothing was found against it. scene, deed: of it.
    void praise(int player, int move, int deed, const Scene& scene, int depth) {
        if constexpr (RemembersDeeds<P>) {
            shift_quiet(player, move, deed, scene, bonus_at(depth));
        }
    }

    Corrections<P> corrections;

private:
    static constexpr std::size_t kBound = static_cast<std::size_t>(P::kMoveBound);
    static constexpr std::size_t kDeeds = [] {
        if constexpr (RemembersDeeds<P>) return static_cast<std::size_t>(P::kDeeds);
        return std::size_t(0);
    }();

    void forget_killers() { killers_.fill({-1, -1}); }

    static std::size_t at(int player, int move) {
        return static_cast<std::size_t>(player) * kBound + static_cast<std::size_t>(move);
    }
    // Call what(i) for each of kAgo, i being known when this is compiled.
    template <class What>
    static void for_each_ago(const What& what) {
        [&what]<std::size_t... I>(std::index_sequence<I...>) {
            (what(std::integral_constant<std::size_t, I>()), ...);
        }(std::make_index_sequence<kAgo.size()>());
    }
    // How much of a history, or of what one learns, counts after that one of kAgo.
    template <std::size_t I>
    int shared(int of) const {
        const int percent = I == 0 ? tuning_.continuation_1 : I == 1 ? tuning_.continuation_2 : tuning_.continuation_4;
        return percent == 100 ? of : of * percent / 100;  // the usual share costs no multiplication
    }
    // Own moves, of two plies ago and of four, share a table.
    static std::size_t after(std::size_t i, int before, int deed) {
        return (std::min<std::size_t>(i, 1) * kDeeds + static_cast<std::size_t>(before)) * kDeeds +
               static_cast<std::size_t>(deed);
    }
    static std::size_t taken(const P& position, int move) {
        return static_cast<std::size_t>(position.deed(move)) * static_cast<std::size_t>(P::kPrizes) +
               static_cast<std::size_t>(position.prize(move));
    }
    template <class Int>
    static void shift(Int& value, int bonus) {
        value = static_cast<Int>(value + bonus - value * std::abs(bonus) / kMost);
    }
    int bonus_at(int depth) const { return std::min(depth * depth * tuning_.history_bonus, tuning_.history_most); }
    void shift_quiet(const P& position, int move, const Scene& scene, int bonus) {
        int deed = -1;
        if constexpr (RemembersDeeds<P>) deed = position.deed(move);
        shift_quiet(position.to_move(), move, deed, scene, bonus);
    }
    void shift_quiet(int player, int move, int deed, const Scene& scene, int bonus) {
        shift(history_[at(player, move)], bonus);
        if constexpr (RemembersDeeds<P>)
            for_each_ago([&](auto i) {
                if (scene.deeds[i] >= 0) shift(after_[after(i, scene.deeds[i], deed)], shared<i>(bonus));
            });
    }

    Tuning tuning_;
    std::vector<int> history_, counters_;
    std::vector<std::int16_t> after_, prizes_;
    std::array<std::array<int, 2>, kMaxPly> killers_;
};

}  // namespace tengen::alphabeta
