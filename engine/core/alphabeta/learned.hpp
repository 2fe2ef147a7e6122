// What one thread has learned of moves in this run: killers (moves that refuted a sibling), counter moves, and how
// often a move was best anywhere (history). It only orders moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/alphabeta/position.hpp"

namespace tengen::alphabeta {

class Learned {
public:
    static constexpr int kMost = 16384;  // of a move's history, either way

    explicit Learned(int move_bound)
        : bound_(static_cast<std::size_t>(move_bound)), history_(2 * bound_), counters_(2 * bound_, -1) {
        for (auto& pair : killers_) pair = {-1, -1};
    }

    // What a quiet move is worth; more is tried earlier.
    int worth(int player, int move, int ply, int previous) const {
        const auto& killers = killers_[static_cast<std::size_t>(ply)];
        int worth = history_[at(player, move)];
        if (move == killers[0]) worth += 3 * kMost;
        if (move == killers[1]) worth += 2 * kMost;
        if (previous >= 0 && counters_[at(player, previous)] == move) worth += kMost;
        return worth;
    }
    int history(int player, int move) const { return history_[at(player, move)]; }

    // A quiet move was too good; those tried before were not.
    void reward(int player, int move, int ply, int previous, int depth, const int* tried, int count) {
        const int bonus = std::min(depth * depth * 16, kMost / 8);
        shift(history_[at(player, move)], bonus);
        for (int i = 0; i < count; ++i) shift(history_[at(player, tried[i])], -bonus);
        auto& killers = killers_[static_cast<std::size_t>(ply)];
        if (killers[0] != move) killers = {move, killers[0]};
        if (previous >= 0) counters_[at(player, previous)] = move;
    }

private:
    std::size_t at(int player, int move) const {
        return static_cast<std::size_t>(player) * bound_ + static_cast<std::size_t>(move);
    }
    static void shift(int& value, int bonus) { value += bonus - value * std::abs(bonus) / kMost; }

    std::size_t bound_;
    std::vector<int> history_, counters_;
    std::array<std::array<int, 2>, kMaxPly> killers_;
};

}  // namespace tengen::alphabeta
