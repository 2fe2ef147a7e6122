#include "core/gomoku/line_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tengen::gomoku {
namespace {

constexpr int kSumShift = 2, kMatrixShift = 9, kSquareShift = 8;
constexpr int kMostSum = kLargest * kLargest * LineNetwork::kCellMost;  // of all cells of the largest board
constexpr int kMostChanges = 256;                                       // of cells, that a sum in 16 bits takes

static_assert(LineNetwork::kCell >> kSumShift == LineNetwork::kSum);
static_assert(LineNetwork::kSum * LineNetwork::kMatrix >> kMatrixShift == LineNetwork::kUnit);
static_assert(LineNetwork::kUnit * LineNetwork::kUnit >> kSquareShift == LineNetwork::kOut);
static_assert(kMostSum >> kSumShift <= std::numeric_limits<std::int16_t>::max());
static_assert(kMostChanges * LineNetwork::kCellMost <= std::numeric_limits<std::int16_t>::max());

std::string prefix_of(Rule rule) { return std::string(kRuleNames[static_cast<std::size_t>(rule)]) + "."; }

template <class T, class To>
void copy(std::span<const T> from, To& to) {
    static_assert(sizeof(To) % sizeof(T) == 0);
    std::copy(from.begin(), from.end(), reinterpret_cast<T*>(&to));
}

}  // namespace

LineNetwork::LineNetwork(std::shared_ptr<const Weights> whole, Rule rule) : weights_(std::move(whole)) {
    const Weights& weights = *weights_;
    const std::string prefix = prefix_of(rule);
    rows_ = reinterpret_cast<const Row*>(weights.get<std::int16_t>(prefix + "cells", {kRows, 2, kWidth}).data());
    copy(weights.get<std::int16_t>(prefix + "hidden", {kHidden, 2, kWidth}), hidden_);
    copy(weights.get<std::int16_t>(prefix + "direct", {2, kWidth}), direct_);
    copy(weights.get<std::int32_t>(prefix + "hidden_own", {kThreatSets, kHidden}), hidden_own_);
    copy(weights.get<std::int32_t>(prefix + "hidden_enemy", {kThreatSets, kHidden}), hidden_enemy_);
    copy(weights.get<std::int16_t>(prefix + "output", {kHidden}), output_);
    copy(weights.get<std::int32_t>(prefix + "threats", {kThreatSets, kThreatSets}), threats_);
    check_sums();
}

bool LineNetwork::is_in(const Weights& weights, Rule rule) {
    const std::string name = prefix_of(rule) + "cells";
    return std::any_of(weights.entries().begin(), weights.entries().end(),
                       [&](const auto& entry) { return entry.name == name; });
}

// No position can make a sum leave its type: the largest sums of the largest board are taken together.
void LineNetwork::check_sums() const {
    for (const Row& row : std::span(rows_, kRows))
        for (std::size_t lane = 0; lane < kWidth; ++lane)
            if (std::max(std::abs(int{row.own[lane]}), std::abs(int{row.enemy[lane]})) >
                std::numeric_limits<std::int16_t>::max() / 2)
                throw std::invalid_argument("the vectors of cells are too large for their sums");
    constexpr std::int64_t kMost = kMostSum >> kSumShift, kLimit = std::numeric_limits<std::int32_t>::max();
    const auto weighed = [](const std::array<Lanes16, 2>& by) {
        std::int64_t sum = 0;
        for (const Lanes16& side : by)
            for (const std::int16_t weight : side) sum += kMost * std::abs(int{weight});
        return sum;
    };
    const auto largest = [](const auto& table) {
        std::int64_t most = 0;
        for (const auto& row : table)
            for (const std::int32_t number : row) most = std::max(most, std::abs(std::int64_t{number}));
        return most;
    };
    std::int64_t out = weighed(direct_) + largest(threats_);
    const std::int64_t bias = largest(hidden_own_) + largest(hidden_enemy_);
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        if (weighed(hidden_[unit]) + bias > kLimit)
            throw std::invalid_argument("the hidden layer's weights are too large for their sums");
        out += std::int64_t{kOut} * std::abs(int{output_[unit]});
    }
    if (out > kLimit) throw std::invalid_argument("the head's weights are too large for their sum");
}

int LineNetwork::answer(const Sums& sums, int to_move, unsigned own, unsigned enemy) const {
    alignas(64) std::array<Lanes16, 2> seen;
    const auto me = static_cast<std::size_t>(to_move);
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t lane = 0; lane < kWidth; ++lane)
            seen[side][lane] = static_cast<std::int16_t>(sums.of[me ^ side][lane] >> kSumShift);
    const auto dot = [&](const std::array<Lanes16, 2>& by) {
        std::int32_t sum = 0;
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t lane = 0; lane < kWidth; ++lane) sum += seen[side][lane] * by[side][lane];
        return sum;
    };
    std::array<std::int32_t, kHidden> hidden;
    for (std::size_t unit = 0; unit < kHidden; ++unit) hidden[unit] = dot(hidden_[unit]);
    std::int32_t out = dot(direct_) + threats_[own][enemy];
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        std::int32_t x = (hidden[unit] + hidden_own_[own][unit] + hidden_enemy_[enemy][unit]) >> kMatrixShift;
        x = std::clamp<std::int32_t>(x, 0, kUnit);
        out += (x * x >> kSquareShift) * output_[unit];
    }
    return out / kOut;
}

LineNetworks::LineNetworks(const std::shared_ptr<const Weights>& weights) {
    bool is_any = false;
    for (std::size_t rule = 0; rule < networks_.size(); ++rule) {
        if (!LineNetwork::is_in(*weights, static_cast<Rule>(rule))) continue;
        networks_[rule] = std::make_unique<const LineNetwork>(weights, static_cast<Rule>(rule));
        is_any = true;
    }
    if (!is_any) throw std::invalid_argument("there is no network of any rule among the weights");
}

std::shared_ptr<const LineNetworks> LineNetworks::of(const std::shared_ptr<const Weights>& weights) {
    return weights ? std::make_shared<const LineNetworks>(weights) : nullptr;
}

template <int N>
void LineSums<N>::start(const LineNetwork* network, const Board& board, std::size_t plies) {
    network_ = network;
    if (!network) return;
    steps_.assign(plies, {});
    const Board empty(State<N>(board.width(), board.height(), board.rule()));
    still_.assign(Board::L::kCellBound, {});
    for (int dense = 0; dense < board.cells(); ++dense) {
        const int cell = board.from_dense(dense);
        still_[static_cast<std::size_t>(cell)] = empty.indices(cell);
    }
    Step& first = steps_[0];
    first.changes = board.changes();
    first.is_known = true;
    for (int dense = 0; dense < board.cells(); ++dense) {
        std::array<LineNetwork::Lanes16, 2> cell{};
        const int at = board.from_dense(dense);
        add(at, board.indices(at), 1, cell);
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t lane = 0; lane < LineNetwork::kWidth; ++lane)
                first.sums.of[side][lane] += cell[side][lane];
    }
}

template <int N>
const LineNetwork::Sums& LineSums<N>::at(const Board& board, int ply) {
    Step& step = steps_[static_cast<std::size_t>(ply)];
    if (step.is_known) return step.sums;
    auto known = static_cast<std::size_t>(ply);
    while (!steps_[known].is_known) --known;
    step.sums = steps_[known].sums;
    const std::uint32_t begin = steps_[known + 1].changes, end = board.changes();
    typename Board::Cells seen;
    for (std::uint32_t i = begin; i < end;) {
        alignas(64) std::array<LineNetwork::Lanes16, 2> more{};
        for (const std::uint32_t stop = std::min<std::uint32_t>(end, i + kMostChanges); i < stop; ++i) {
            const auto& [cell, was] = board.change(i);
            if (seen.has(cell)) continue;  // only what it was first counts
            seen.add(cell);
            add(cell, was, -1, more);
            add(cell, board.indices(cell), 1, more);
        }
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t lane = 0; lane < LineNetwork::kWidth; ++lane) step.sums.of[side][lane] += more[side][lane];
    }
    step.is_known = true;
    return step.sums;
}

template class LineSums<15>;
template class LineSums<25>;

}  // namespace tengen::gomoku
