// The histories of one thread: killers (moves that refuted a sibling), counter moves, how often a move was best anywhere
// (history), after the moves before it (continuation history) or by what it took (capture history); and by how much the
// evaluation was wrong (correction history). They order moves and steer reductions and pruning.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/alphabeta/correction_history.hpp"
#include "core/alphabeta/position.hpp"

namespace tengen::alphabeta {

// How many plies ago the moves were that a continuation history goes by.
inline constexpr std::array<int, 3> kContinuationPlies{1, 2, 4};

// Where a move is tried: plies below the root, and the moves before it; -1: none.
struct HistoryContext {
    int ply = 0, previous = -1;                                        // the opponent's last move
    std::array<int, kContinuationPlies.size()> piece_tos{-1, -1, -1};  // of the moves of kContinuationPlies
};

template <Position P>
class Histories {
public:
    static constexpr int kMost = 16384;  // of a move's history, either way

    explicit Histories(const Tuning& tuning)
        : correction_history(tuning), tuning_(tuning), history_(2 * kBound), counters_(2 * kBound, -1) {
        forget_killers();
        if constexpr (HasContinuationHistory<P>) {
            continuation_history_.resize(2 * kPieceTos * kPieceTos);
            capture_history_.resize(kPieceTos * static_cast<std::size_t>(P::kCapturedKinds));
        }
    }

    // Another run begins: killers hold at their ply alone. The rest is kept where there are continuation histories, which
    // take longer to fill than a run lasts.
    void begin() {
        if constexpr (HasContinuationHistory<P>)
            forget_killers();
        else
            *this = Histories(tuning_);
    }

    // Of a quiet move, for move ordering: its history, and whether it is a killer or a counter move.
    int worth(const P& position, int move, const HistoryContext& context) const {
        const int player = position.to_move();
        const auto& killers = killers_[static_cast<std::size_t>(context.ply)];
        int worth = history(position, move, context);
        if (move == killers[0]) worth += tuning_.killer_first;
        if (move == killers[1]) worth += tuning_.killer_second;
        if (context.previous >= 0 && counters_[at(player, context.previous)] == move) worth += tuning_.counter_move;
        return worth;
    }
    // Of a quiet move: within kMost either way, and as much, by its share, for each continuation history.
    int history(const P& position, int move, const HistoryContext& context) const {
        int out = history_[at(position.to_move(), move)];
        if constexpr (HasContinuationHistory<P>) {
            const int piece_to = position.piece_to(move);
            for_each_continuation([&](auto i) {
                if (context.piece_tos[i] >= 0)
                    out += shared<i>(continuation_history_[continuation_index(i, context.piece_tos[i], piece_to)]);
            });
        }
        return out;
    }
    bool is_killer(int move, const HistoryContext& context) const {
        const auto& killers = killers_[static_cast<std::size_t>(context.ply)];
        return move == killers[0] || move == killers[1];
    }
    // Of a tactical move, within kMost either way.
    int capture_history(const P& position, int move) const {
        if constexpr (HasContinuationHistory<P>) return capture_history_[capture_index(position, move)];
        return 0;
    }

    // A move caused a cut-off: a bonus for it, as much off for those that were tried before.
    void update_on_cutoff(const P& position, int move, bool is_quiet, const HistoryContext& context, int depth,
                          const int* quiet, int quiet_count, const int* tactical, int tactical_count) {
        const int bonus = bonus_at(depth), player = position.to_move();
        if (is_quiet) {
            update_quiet(position, move, context, bonus);
            for (int i = 0; i < quiet_count; ++i) update_quiet(position, quiet[i], context, -bonus);
            auto& killers = killers_[static_cast<std::size_t>(context.ply)];
            if (killers[0] != move) killers = {move, killers[0]};
            if (context.previous >= 0) counters_[at(player, context.previous)] = move;
        }
        if constexpr (HasContinuationHistory<P>) {
            if (!is_quiet) update(capture_history_[capture_index(position, move)], bonus);
            for (int i = 0; i < tactical_count; ++i)
                update(capture_history_[capture_index(position, tactical[i])], -bonus);
        }
    }

    // All moves of a node failed low: a bonus for the quiet move that led there. player, piece_to, context: of that move.
    void update_on_fail_low(int player, int move, int piece_to, const HistoryContext& context, int depth) {
        if constexpr (HasContinuationHistory<P>) {
            update_quiet(player, move, piece_to, context, bonus_at(depth));
        }
    }

    CorrectionHistory<P> correction_history;

private:
    static constexpr std::size_t kBound = static_cast<std::size_t>(P::kMoveBound);
    static constexpr std::size_t kPieceTos = [] {
        if constexpr (HasContinuationHistory<P>) return static_cast<std::size_t>(P::kPieceTos);
        return std::size_t(0);
    }();

    void forget_killers() { killers_.fill({-1, -1}); }

    static std::size_t at(int player, int move) {
        return static_cast<std::size_t>(player) * kBound + static_cast<std::size_t>(move);
    }
    // Call what(i) for each of kContinuationPlies; i is a constant.
    template <class What>
    static void for_each_continuation(const What& what) {
        [&what]<std::size_t... I>(std::index_sequence<I...>) {
            (what(std::integral_constant<std::size_t, I>()), ...);
        }(std::make_index_sequence<kContinuationPlies.size()>());
    }
    // The share of a continuation history, or of a bonus for it, that counts.
    template <std::size_t I>
    int shared(int of) const {
        const int percent = I == 0 ? tuning_.continuation_1 : I == 1 ? tuning_.continuation_2 : tuning_.continuation_4;
        return percent == 100 ? of : of * percent / 100;  // the usual share costs no multiplication
    }
    // Own moves, of two plies ago and of four, share a table.
    static std::size_t continuation_index(std::size_t i, int before, int piece_to) {
        return (std::min<std::size_t>(i, 1) * kPieceTos + static_cast<std::size_t>(before)) * kPieceTos +
               static_cast<std::size_t>(piece_to);
    }
    static std::size_t capture_index(const P& position, int move) {
        return static_cast<std::size_t>(position.piece_to(move)) * static_cast<std::size_t>(P::kCapturedKinds) +
               static_cast<std::size_t>(position.captured_kind(move));
    }
    template <class Int>
    static void update(Int& value, int bonus) {
        value = static_cast<Int>(value + bonus - value * std::abs(bonus) / kMost);
    }
    int bonus_at(int depth) const { return std::min(depth * depth * tuning_.history_bonus, tuning_.history_most); }
    void update_quiet(const P& position, int move, const HistoryContext& context, int bonus) {
        int piece_to = -1;
        if constexpr (HasContinuationHistory<P>) piece_to = position.piece_to(move);
        update_quiet(position.to_move(), move, piece_to, context, bonus);
    }
    void update_quiet(int player, int move, int piece_to, const HistoryContext& context, int bonus) {
        update(history_[at(player, move)], bonus);
        if constexpr (HasContinuationHistory<P>)
            for_each_continuation([&](auto i) {
                if (context.piece_tos[i] >= 0)
                    update(continuation_history_[continuation_index(i, context.piece_tos[i], piece_to)],
                           shared<i>(bonus));
            });
    }

    Tuning tuning_;
    std::vector<int> history_, counters_;
    std::vector<std::int16_t> continuation_history_, capture_history_;
    std::array<std::array<int, 2>, kMaxPly> killers_;
};

}  // namespace tengen::alphabeta
