// The exact end of a game: who wins by how many discs, the empty cells given to the winner, and by which move.
//
// Principal variation search on two words, by any number of threads over one table. What leaves the enemy few replies
// comes first ("fastest first"), far from the end also what a shallow search likes; near the end cells in quarters with
// an odd number of empty cells (parity). Nothing is left out by guesses: every score is exact, or a bound where the
// window says so. A window of (-1, 1) asks for the winner alone and is several times as fast.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/reversi/evaluation.hpp"
#include "core/reversi/solver_table.hpp"

namespace tengen::reversi {

class SolverThread;
struct SolverShared;

class Solver {
public:
    static constexpr int kWorst = -kCells, kBest = kCells;

    // 2^`table_bits` entries, made at the first solve and kept; 0: no table for what is far from the end. `tables`:
    // what orders moves there, beside mobility; may be null.
    explicit Solver(int table_bits = 0, std::shared_ptr<const PatternTables> tables = nullptr, int threads = 1);
    // With a memory that others use, too.
    explicit Solver(std::shared_ptr<SolverMemory> memory, std::shared_ptr<const PatternTables> tables = nullptr);
    // Copies begin anew, with a memory of their own where none was given.
    Solver(const Solver& other);
    Solver& operator=(const Solver& other);
    ~Solver();

    static double table_mb(int bits) { return SolverTable::mb(bits); }

    // The score of the side to move: exact within (alpha, beta), else a bound on that side. When `is_interrupted`
    // comes true the number means nothing.
    int solve(Bits own, Bits enemy, int alpha = kWorst, int beta = kBest);
    // The move that has the score of the last solve, if that lies above alpha and beta above alpha + 1; -1: none, or a
    // pass.
    int best_move() const { return best_move_; }

    // Polled every few thousand nodes, in the thread that solves; true ends every solve until the next `start`.
    void start(std::function<bool()> interrupted);
    bool is_interrupted() const;
    // Positions looked at since the start; those with one empty cell or none are not counted.
    std::uint64_t nodes() const;

private:
    int solve_by_threads(Bits own, Bits enemy, int alpha, int beta);

    static constexpr int kThreadsEmpties = 17;  // smaller positions are not worth a thread

    int table_bits_, threads_, best_move_ = -1;
    std::shared_ptr<SolverMemory> given_;
    std::shared_ptr<const PatternTables> tables_;
    std::uint64_t helpers_nodes_ = 0;       // of those that have ended
    std::unique_ptr<SolverShared> shared_;  // made when it is asked
    std::unique_ptr<SolverThread> main_;
    std::vector<std::unique_ptr<SolverThread>> helpers_;
};

}  // namespace tengen::reversi
