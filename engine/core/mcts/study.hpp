// The data that an analysis keeps of answers beyond those of a search: of the root and of each of its moves, who owns
// the cells, how the game is expected to end, and how far both scatter; and what was said of the root before any
// search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mcts/arena.hpp"
#include "core/mcts/awaited.hpp"

namespace tengen::mcts {

// Sums over the answers of a subtree; signed numbers are for player 0.
struct Sums {
    std::uint64_t count = 0, spread_count = 0;
    double mean = 0, square = 0;  // of the final score
    std::vector<float> owners, owner_squares;

    double score_mean() const { return spread_count ? mean / static_cast<double>(spread_count) : 0; }
    double score_stdev() const {
        if (!spread_count) return 0;
        return std::sqrt(std::max(0.0, square / static_cast<double>(spread_count) - score_mean() * score_mean()));
    }
    // The owner of each cell: how far it is player 0's, from -1 to 1, and how far the answers scatter.
    std::pair<std::vector<float>, std::vector<float>> ownership() const {
        std::pair<std::vector<float>, std::vector<float>> out;
        const auto total = static_cast<float>(std::max<std::uint64_t>(count, 1));
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const float average = owners[i] / total;
            out.first.push_back(average);
            out.second.push_back(std::sqrt(std::max(0.0f, owner_squares[i] / total - average * average)));
        }
        return out;
    }
};

class Study {
public:
    static constexpr int kRoot = -1;

    bool is_on() const { return is_on_; }
    // Begin anew; `by_move`: owners of each move's subtree too, not of the root's alone.
    void start(bool by_move) {
        *this = Study();
        is_on_ = true;
        by_move_ = by_move;
    }
    // An answer below a move of the root (dense; kRoot: of the root itself). sign: 1 where player 0 was to move;
    // place(cell): where a cell is in the answer.
    template <class Place>
    void add(int move, const Answer& answer, float sign, int cells, const Place& place) {
        count(sums_[kRoot], answer, sign, cells, place);
        if (move == kRoot) return;
        Sums& sums = sums_[move];
        count(sums, answer, sign, by_move_ ? cells : 0, place);
    }
    // Set the policy of the root, by dense move; as it came.
    void set_policy(std::vector<float> logits) { policy_ = std::move(logits); }
    const std::vector<float>& policy() const { return policy_; }

    // The sums of a move's subtree; empty sums where nothing was answered.
    Sums of(int move) const {
        const auto found = sums_.find(move);
        return found == sums_.end() ? Sums() : found->second;
    }

private:
    template <class Place>
    static void count(Sums& sums, const Answer& answer, float sign, int cells, const Place& place) {
        ++sums.count;
        if (answer.has_spread) {
            ++sums.spread_count;
            sums.mean += static_cast<double>(sign * answer.mean);
            sums.square += static_cast<double>(answer.square);
        }
        if (answer.owners.empty() || cells == 0) return;
        sums.owners.resize(static_cast<std::size_t>(cells));
        sums.owner_squares.resize(static_cast<std::size_t>(cells));
        for (int cell = 0; cell < cells; ++cell) {
            const float owner = sign * answer.owners[place(cell)];
            sums.owners[static_cast<std::size_t>(cell)] += owner;
            sums.owner_squares[static_cast<std::size_t>(cell)] += owner * owner;
        }
    }

    bool is_on_ = false, by_move_ = false;
    std::unordered_map<int, Sums> sums_;
    std::vector<float> policy_;
};

// The visits of each position to which a line of native moves leads; 0 from where the tree ends.
template <class Moves>
std::vector<std::uint32_t> visits_along(const Arena& arena, const Node& root, const Moves& line) {
    std::vector<std::uint32_t> out;
    const Node* node = &root;
    for (const int move : line) {
        const Node* next = nullptr;
        if (node && node->has_edges()) {
            const std::uint32_t begin = node->edges.load(std::memory_order_acquire);
            for (std::uint32_t i = begin; i < begin + node->edge_count; ++i)
                if (arena.edge(i).move == move) next = arena.below(arena.edge(i));
        }
        out.push_back(next ? next->visits.load(std::memory_order_relaxed) : 0);
        node = next;
    }
    return out;
}

}  // namespace tengen::mcts
