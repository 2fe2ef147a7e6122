// One thread of a solver: the nodes of its search, from the root down to the last cells.
//
// The kinds of nodes, by empty cells: far ones keep what they find in the shared table, look there for what their moves
// lead to (enhanced transposition cut-off, Plaat et al. 1996) and order moves by shallow searches; near ones have a
// small table of the thread and order by mobility; plain ones know parity alone; the last four cells are
// last_cells.hpp.
//
// Threads share the work as in ABDADA (Weill 1995): all search the same root; a move that another thread is at is put
// off, and what was found meanwhile is in the table when its turn comes. A thread that is below a node which another
// one has finished goes back there.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/reversi/evaluation.hpp"
#include "core/reversi/solver_table.hpp"
#include "core/reversi/wide.hpp"

namespace tengen::reversi {

// What the threads of a solver share.
struct SolverShared {
    static constexpr std::size_t kMarks = 4096;

    std::shared_ptr<SolverMemory> memory;
    std::shared_ptr<const PatternTables> tables;
    std::atomic<bool> is_over{false};
    std::array<std::atomic<std::uint64_t>, kMarks> marks{};  // keys of positions that somebody is at
    bool has_helpers = false;
};

class SolverThread {
public:
    explicit SolverThread(SolverShared& shared)
        : shared_(shared), near_(shared.memory ? shared.memory->take() : NearTable(std::size_t{1} << kNearBits)) {}
    SolverThread(const SolverThread&) = delete;
    SolverThread& operator=(const SolverThread&) = delete;
    ~SolverThread() {
        if (shared_.memory) shared_.memory->give(std::move(near_));
    }

    int solve(Bits own, Bits enemy, int alpha, int beta);
    int best_move() const { return best_move_; }
    // `interrupted`: polled every few thousand nodes, ends all threads.
    void start(std::function<bool()> interrupted);
    std::uint64_t nodes() const { return nodes_; }  // since the start; asked by the thread that searches
    std::uint64_t published_nodes() const { return published_.load(std::memory_order_relaxed); }  // by any thread
    bool is_over() const { return is_over_; }

private:
    // A position on the way; `odd`: the quarters of the board with an odd number of empty cells.
    struct Place {
        Bits own, enemy, odd;
        int empties;
        Bits empty() const { return ~(own | enemy); }
    };
    struct Candidate {
        Bits turned;
        int move, order;  // the least order comes first
    };
    // What the evaluation keeps; sign 1: the indices are the view of the side to move.
    struct Sight {
        Indices indices{};
        int sign = 1;
    };
    // A node above the present one, with its window.
    struct Above {
        std::uint64_t key;
        int alpha, beta;
    };
    static constexpr int kPlainEmpties = 5, kNearEmpties = 12;  // at most, of plain and of near nodes
    static constexpr int kSharedEmpties = 15;                   // from here on threads look at each other's work
    static constexpr std::uint64_t kPollEvery = 4096;
    static constexpr int kFirst = -1 << 20, kWipeOut = kFirst + 1, kLater = 1 << 20;  // orders

    static Place after(const Place& place, const Candidate& move);
    static Place passed(const Place& place) { return {place.enemy, place.own, place.odd, place.empties}; }
    Sight after(const Sight& sight, const Candidate& move) const;
    Sight passed(const Sight& sight) const { return {sight.indices, -sight.sign}; }

    bool is_far(const Place& place) const { return place.empties > kNearEmpties && shared_.memory; }
    // All but search_pv have the window (alpha, alpha + 1).
    int search_pv(const Place& place, const Sight& sight, int alpha, int beta, bool is_root);
    int search_null(const Place& place, const Sight& sight, int alpha);
    int search_far(const Place& place, const Sight& sight, int alpha);
    int try_far(const Place& place, const Sight& sight, int alpha, std::uint64_t key, Known& known);
    int search_near(const Place& place, int alpha);
    int search_plain(const Place& place, int alpha);
    int search_last(const Place& place, int alpha);

    // solver_order.cpp
    static int list(const Place& place, Bits can, int first, Candidate* out);
    static Candidate& pick(Candidate* moves, int count, int at);
    void judge(const Place& place, const Sight& sight, Candidate* moves, int count, bool is_pv);
    int guess(const Place& place, const Sight& sight, int depth, int alpha, int beta);

    // How much an upper bound by stable discs says is at most alpha; kCells + 1 where it is not.
    static int most_by_stable(const Place& place, int alpha);
    bool puts_off(Candidate& move, const Place& next, int at);
    bool is_over_above();
    bool is_stopped() const { return is_over_ || back_to_ >= 0; }
    void poll();

    SolverShared& shared_;
    NearTable near_;
    std::vector<Above> above_;
    std::function<bool()> interrupted_;
    std::uint32_t run_ = 0;  // near entries of other runs are void
    int best_move_ = -1;
    int back_to_ = -1;  // the node above to go back to
    bool is_over_ = false;
    std::uint64_t nodes_ = 0, next_poll_ = 0;
    std::atomic<std::uint64_t> published_{0};
};

}  // namespace tengen::reversi
