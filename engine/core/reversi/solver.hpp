// The exact end of a game: alpha-beta (principal variation search) on two words, scored in discs with the empty cells
// given to the winner. Moves that leave the enemy few replies come first ("fastest first"), near the end moves into
// regions with an odd number of empty cells; results of larger positions are kept in a table.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/reversi/wide.hpp"

namespace tengen::reversi {

class Solver {
public:
    static constexpr int kWorst = -kCells, kBest = kCells;

    // 2^`table_bits` entries, made at the first solve; 0: no table.
    explicit Solver(int table_bits = 0) : table_bits_(table_bits) {}

    static double table_mb(int bits) { return static_cast<double>(sizeof(Entry) << bits) / 1048576.0; }

    // The score of the side to move: exact within (alpha, beta), else a bound on that side. When `is_interrupted`
    // comes true the number means nothing.
    int solve(Bits own, Bits enemy, int alpha = kWorst, int beta = kBest);

    // Polled every few thousand nodes; true ends every solve until the next `start`.
    void start(std::function<bool()> interrupted) {
        interrupted_ = std::move(interrupted);
        is_interrupted_ = false;
        nodes_ = 0;
        next_poll_ = kPollEvery;
    }
    bool is_interrupted() const { return is_interrupted_; }
    std::uint64_t nodes() const { return nodes_; }

private:
    struct Entry {
        Bits own = 0, enemy = 0;
        std::int8_t low = kWorst, high = kBest, move = -1;
        std::uint8_t empties = 0;
    };
    struct Candidate {
        Bits own, enemy;  // after the move, the replying side first
        int order, move;
    };
    static constexpr int kTableEmpties = 8;  // smaller positions are not kept
    static constexpr int kPlainEmpties = 4;  // up to here moves are tried in the order of parity alone
    static constexpr std::uint64_t kPollEvery = 4096;

    int search(Bits own, Bits enemy, int alpha, int beta);
    int search_ordered(Bits own, Bits enemy, Bits can, int alpha, int beta);
    int search_plain(Bits own, Bits enemy, Bits empty, int alpha, int beta, bool passed);
    static int last_cell(Bits own, Bits enemy, int cell);
    int sort(Bits own, Bits enemy, Bits can, int first, Candidate* out) const;
    bool poll();
    Entry* entry_of(Bits own, Bits enemy);

    int table_bits_;
    std::vector<Entry> table_;
    std::function<bool()> interrupted_;
    bool is_interrupted_ = false;
    std::uint64_t nodes_ = 0, next_poll_ = kPollEvery;
};

}  // namespace tengen::reversi
