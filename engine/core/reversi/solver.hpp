// The exact end of a game.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/reversi/evaluation.hpp"
#include "core/reversi/solver_table.hpp"
#include "core/reversi/wide.hpp"

namespace tengen::reversi {

class Solver {
public:
    static constexpr int kWorst = -kCells, kBest = kCells;

    explicit Solver(int table_bits = 0, std::shared_ptr<const PatternTables> tables = nullptr)
        : table_bits_(table_bits), tables_(std::move(tables)) {}

    static double table_mb(int bits) { return SolverTable::mb(bits); }

    int solve(Bits own, Bits enemy, int alpha = kWorst, int beta = kBest);
    int move() const { return root_move_; }

    void start(std::function<bool()> interrupted) {
        interrupted_ = std::move(interrupted);
        is_interrupted_ = false;
        nodes_ = 0;
        next_poll_ = kPollEvery;
    }
    bool is_interrupted() const { return is_interrupted_; }
    std::uint64_t nodes() const { return nodes_; }

    std::uint64_t stat[4][64] = {};
private:
    // A node on the way: whose discs, the quarters with an odd number of empty cells.
    struct Place {
        Bits own, enemy, odd;
        int empties;
    };
    struct Candidate {
        Bits turned;
        int move, order;
    };
    struct Sight {  // what the evaluation keeps
        Indices indices;
        int sign;
    };
    struct NearEntry {
        Bits own = 0, enemy = 0;
        std::int8_t low = kWorst, high = kBest, move = -1;
    };
    static constexpr std::uint64_t kPollEvery = 4096;

    static Place after(const Place& place, int move, Bits turned);
    static Place passed(const Place& place) { return {place.enemy, place.own, place.odd, place.empties}; }

    int search_pv(const Place& place, const Sight& sight, int alpha, int beta, bool is_root = false);
    int search_far(const Place& place, const Sight& sight, int alpha);
    int search_near(const Place& place, int alpha);
    int search_plain(const Place& place, int alpha);
    int search_null(const Place& place, const Sight& sight, int alpha);
    int search_small(const Place& place, int alpha);

    int list(const Place& place, Bits can, int first, Candidate* out) const;
    void judge(const Place& place, const Sight& sight, int alpha, Candidate* moves, int count, int first, bool pv);
    int guess(const Place& place, const Sight& sight, int depth, int alpha, int beta);
    Sight seen(const Sight& sight, int move, Bits turned) const;
    bool poll();

    int table_bits_;
    std::shared_ptr<const PatternTables> tables_;
    std::shared_ptr<SolverTable> table_;
    std::vector<NearEntry> near_;
    std::function<bool()> interrupted_;
    bool is_interrupted_ = false;
    int root_move_ = -1;
    std::uint64_t nodes_ = 0, next_poll_ = kPollEvery;
};

}  // namespace tengen::reversi
