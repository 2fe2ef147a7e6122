// A small network over the lines of cells, in whole numbers.
//
// Each empty cell gives each side a vector: that of its own index (worth.hpp) plus that of the enemy's index on the cell,
// clipped at 0 and kCellMost; a cell that is as on the empty board gives nothing. A side's vectors are summed. Both
// sums, of who is to move first, pass a hidden layer, clipped and squared, whose bias says who threatens what; beside it
// they count directly, as do the threats.
// `nets/line_network.py` is the same in torch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gomoku/line_board.hpp"
#include "core/weights.hpp"

namespace tengen::gomoku {

class LineNetwork {
public:
    static constexpr std::size_t kWidth = 32, kHidden = 32, kThreatSets = 16;
    static constexpr int kCell = 64, kCellMost = 127;  // units of a cell's vector to 1, and its bound
    static constexpr int kSum = 16;                    // units of sums to 1, as the head reads them
    static constexpr int kMatrix = 8192;               // of the hidden layer's weights
    static constexpr int kUnit = 256;                  // of the hidden layer's activations
    static constexpr int kOut = 256;                   // of what is added up, to a unit of the score
    static constexpr int kRows = 7260;                 // indices, the two pairs in either order

    using Lanes16 = std::array<std::int16_t, kWidth>;
    // The sums of both sides, in kCell to 1.
    struct alignas(64) Sums {
        std::array<std::array<std::int32_t, kWidth>, 2> of{};
        bool operator==(const Sums&) const = default;
    };
    // The indices of Black and of White on a cell.
    using Indices = std::array<std::uint16_t, 2>;

    // Keeps the weights, whose cells it reads where they are. Arrays, all with the name of the rule and a dot before:
    // "cells" i16 [kRows, 2, kWidth], own and enemy's; "hidden" i16 [kHidden, 2, kWidth] in 1/kMatrix; "hidden_own",
    // "hidden_enemy" i32 [16, kHidden] by threats, in
    // 1/(kSum kMatrix); "direct" i16 [2, kWidth] in kSum/kOut score units; "output" i16 [kHidden] in score units;
    // "threats" i32 [16, 16] in 1/kOut score units. Throws std::invalid_argument for others, and for numbers with
    // which a sum could leave its type.
    LineNetwork(std::shared_ptr<const Weights> weights, Rule rule);
    // Whether there is a network of this rule among them.
    static bool is_in(const Weights& weights, Rule rule);

    // Add what a cell gives to both sides (sign 1), or take it away (-1).
    void add(const Indices& indices, int sign, std::array<Lanes16, 2>& to) const {
        const Row &black = row(indices[0]), &white = row(indices[1]);
        add_clipped(black.own, white.enemy, sign, to[0]);
        add_clipped(white.own, black.enemy, sign, to[1]);
    }
    // In score units for the side to move. own, enemy: the threats of both as bits (SearchPosition::threats).
    int answer(const Sums& sums, int to_move, unsigned own, unsigned enemy) const;

private:
    struct alignas(64) Row {
        Lanes16 own, enemy;
    };
    static_assert(sizeof(Row) == 4 * kWidth && alignof(Row) <= Weights::kAlignment);

    const Row& row(std::uint16_t index) const { return rows_[kRowOf[index]]; }

    static void add_clipped(const Lanes16& own, const Lanes16& enemy, int sign, Lanes16& to) {
        for (std::size_t lane = 0; lane < kWidth; ++lane) {
            auto x = static_cast<std::int16_t>(own[lane] + enemy[lane]);
            x = x < 0 ? std::int16_t{0} : x;
            x = x > kCellMost ? std::int16_t{kCellMost} : x;
            to[lane] = static_cast<std::int16_t>(sign > 0 ? to[lane] + x : to[lane] - x);
        }
    }
    void check_sums() const;

    // The row of an index, with its two pairs in either order.
    static constexpr std::array<std::uint16_t, kIndices> kRowOf = [] {
        std::array<std::uint16_t, kIndices> out{};
        for (std::size_t index = 0; index < kIndices; ++index) {
            const std::size_t a = index % kPairs, b = index / kPairs, low = a < b ? a : b, high = a < b ? b : a;
            const std::size_t row = high * (high + 1) / 2 + low;
            out[index] = static_cast<std::uint16_t>(row < kRows ? row : 0);
        }
        return out;
    }();

    std::shared_ptr<const Weights> weights_;
    const Row* rows_;  // of the weights, kRows
    alignas(64) std::array<std::array<Lanes16, 2>, kHidden> hidden_{};
    alignas(64) std::array<Lanes16, 2> direct_{};
    alignas(64) std::array<std::array<std::int32_t, kHidden>, kThreatSets> hidden_own_{}, hidden_enemy_{};
    alignas(64) std::array<std::int16_t, kHidden> output_{};
    std::array<std::array<std::int32_t, kThreatSets>, kThreatSets> threats_{};
};

// The networks of a file, by rule.
class LineNetworks {
public:
    // Throws std::invalid_argument for one that is wrong, and for weights without any.
    explicit LineNetworks(const std::shared_ptr<const Weights>& weights);
    // The same, for settings; nothing of nothing.
    static std::shared_ptr<const LineNetworks> of(const std::shared_ptr<const Weights>& weights);
    // Nothing for a rule that the file does not have.
    const LineNetwork* at(Rule rule) const { return networks_[static_cast<std::size_t>(rule)].get(); }

private:
    std::array<std::unique_ptr<const LineNetwork>, kRuleNames.size()> networks_;
};

// The sums along a line of play: kept for each ply, and updated when the evaluation is asked.
template <int N>
class LineSums {
public:
    using Board = LineBoard<N>;

    // At ply 0. network: nothing for no sums at all.
    void start(const LineNetwork* network, const Board& board, std::size_t plies);
    const LineNetwork* network() const { return network_; }
    // changes: of the board (LineBoard::changes) before what led to this ply.
    void push(int ply, std::uint32_t changes) {
        if (!network_) return;
        Step& step = steps_[static_cast<std::size_t>(ply)];
        step.changes = changes;
        step.is_known = false;
    }
    // Of the board, which is at this ply.
    const LineNetwork::Sums& at(const Board& board, int ply);

private:
    struct Step {
        LineNetwork::Sums sums;
        std::uint32_t changes = 0;
        bool is_known = false;
    };
    // Add what a cell gives with these indices, or take it away, unless it is a stone or as on the empty board.
    void add(int cell, const LineNetwork::Indices& indices, int sign, std::array<LineNetwork::Lanes16, 2>& to) const {
        if (indices != LineNetwork::Indices{} && indices != still_[static_cast<std::size_t>(cell)])
            network_->add(indices, sign, to);
    }

    const LineNetwork* network_ = nullptr;
    std::vector<Step> steps_;
    std::vector<LineNetwork::Indices> still_;  // of cells on the empty board
};

extern template class LineSums<15>;
extern template class LineSums<25>;

}  // namespace tengen::gomoku
