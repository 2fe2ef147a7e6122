// A position of Reversi as alpha-beta searches it (core/alphabeta/position.hpp): two words, played on by flips, and the
// indices of patterns where the evaluation reads them. A move is a cell, kCells the pass.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/alphabeta/position.hpp"
#include "core/compiler.hpp"
#include "core/reversi/evaluation.hpp"
#include "core/reversi/probcut.hpp"
#include "core/reversi/solver.hpp"
#include "core/reversi/state.hpp"
#include "core/reversi/tuning.hpp"

namespace tengen::reversi {

// Move ordering by the cell alone; the pass and the middle, which is never empty, have 0.
using CellOrder = std::array<int, kCells + 1>;
inline CellOrder cell_order(const PositionTuning& by) {
    constexpr int kHalf = kSide / 2;
    const int quarter[kHalf][kHalf] = {{by.order_a1, by.order_b1, by.order_c1, by.order_d1},
                                       {by.order_b1, by.order_b2, by.order_c2, by.order_d2},
                                       {by.order_c1, by.order_c2, by.order_c3, by.order_d3},
                                       {by.order_d1, by.order_d2, by.order_d3, 0}};
    CellOrder order{};
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        const std::size_t row = cell / kSide, column = cell % kSide;
        order[cell] = by.order_scale * quarter[std::min(row, kSide - 1 - row)][std::min(column, kSide - 1 - column)];
    }
    return order;
}

// What an evaluation keeps from move to move.
struct NoIndices {};

template <class Evaluation>
class SearchPosition {
public:
    using Kept = std::conditional_t<Evaluation::kUsesIndices, Indices, NoIndices>;
    struct Undo {
        Bits own, enemy, can;
        bool knows_moves;
        TENGEN_NO_UNIQUE_ADDRESS Kept kept;
    };
    static constexpr bool kMarginCounts = true;
    static constexpr int kMoveBound = State::kMoveBound, kMaxMoves = kCells;
    static constexpr const alphabeta::Tuning& kTuning = reversi::kTuning;
    static constexpr bool kTrustsLeaves = true;
    static constexpr bool kHasOddEvenEffect = true;  // a fifth to a quarter fewer nodes at depths 8 to 10

    // Of the solvers of all threads: 16 megabytes, touched where something is kept.
    static constexpr int kTableBits = 20;

    // solved: kept from run to run.
    SearchPosition(const State& root, const Evaluation& evaluation, const PositionTuning& tuning,
                   const std::shared_ptr<SolverMemory>& solved)
        : own_(root.own()),
          enemy_(root.enemy()),
          can_(root.moves()),
          to_move_(root.to_move()),
          evaluation_(evaluation),
          tuning_(tuning),
          cell_order_(cell_order(tuning)),
          solver_(solved, evaluation.tables()) {
        solved->table.next_age();
        if constexpr (Evaluation::kUsesIndices) kept_ = indices_of(root.discs(0), root.discs(1));
    }

    int to_move() const { return to_move_; }
    bool is_terminal() const { return !can() && !reversi::moves(enemy_, own_); }
    int result() const { return kDisc * final_margin(own_, enemy_); }
    int plies_left() const { return count(~(own_ | enemy_)); }
    int moves(int* out) const {
        int found = 0;
        for (Bits rest = can(); rest; rest &= rest - 1) out[found++] = lowest(rest);
        if (!found) out[found++] = State::kPass;
        return found;
    }
    bool is_free(int move) const { return move == State::kPass; }
    bool has_free_moves() const { return !can(); }
    std::uint64_t key() const { return key_of(own_, enemy_); }
    std::uint64_t key_after(int move) const {
        const Bits turned = flips(own_, enemy_, move);
        return key_of(enemy_ & ~turned, own_ | turned | 1ULL << move);
    }
    void play(int move, Undo& undo) {
        undo = {own_, enemy_, can_, knows_moves_, kept_};
        if (move != State::kPass) {
            const Bits turned = flips(own_, enemy_, move);
            if constexpr (Evaluation::kUsesIndices) update(kept_, move, turned, to_move_ ? -1 : 1);
            own_ |= turned | 1ULL << move;
            enemy_ &= ~turned;
        }
        std::swap(own_, enemy_);
        to_move_ ^= 1;
        knows_moves_ = false;
    }
    void undo(int, const Undo& undo) {
        own_ = undo.own;
        enemy_ = undo.enemy;
        can_ = undo.can;
        knows_moves_ = undo.knows_moves;
        kept_ = undo.kept;
        to_move_ ^= 1;
    }
    int to_dense(int move) const { return move; }

    // A side without discs has lost, which is seen at no cost; other ends before the board is full are not looked for.
    int evaluate() const {
        if (!own_ || !enemy_) return own_ ? kCells * kDisc : -kCells * kDisc;
        if constexpr (Evaluation::kUsesIndices)
            return evaluation_.evaluate(kept_, to_move_ ? -1 : 1, plies_left());
        else
            return evaluation_.evaluate(own_, enemy_);
    }
    int evaluate_after(int move) const {
        const Bits turned = flips(own_, enemy_, move);
        if (turned == enemy_) return -kCells * kDisc;
        if constexpr (Evaluation::kUsesIndices) {
            Kept after = kept_;
            update(after, move, turned, to_move_ ? -1 : 1);
            return evaluation_.evaluate(after, to_move_ ? 1 : -1, plies_left() - 1);
        } else {
            return evaluation_.evaluate(enemy_ & ~turned, own_ | turned | 1ULL << move);
        }
    }
    bool has_probcut() const { return evaluation_.probcut(); }
    alphabeta::ProbCutCheck probcut_check(int depth) const {
        const ProbCut* probcut = evaluation_.probcut();
        return probcut ? probcut->at(plies_left(), depth, kDisc) : alphabeta::ProbCutCheck{};
    }
    static double win_rate(alphabeta::Score score) { return 1 / (1 + std::exp(-score / (4.0 * kDisc))); }
    // An evaluation may say more than the board has cells for; nobody is told so.
    static double score_shown(alphabeta::Score score) {
        constexpr double kMost = kCells;
        return std::clamp(static_cast<double>(score) / kDisc, -kMost, kMost);
    }

    // Few replies first, corners and what leaves few open discs before others; deep nodes ask the evaluation, too.
    void order(std::span<const int> moves, int depth, int* worth) const {
        if (depth <= tuning_.order_cell_depth) {
            for (std::size_t i = 0; i < moves.size(); ++i) worth[i] = cell_order_[static_cast<std::size_t>(moves[i])];
            return;
        }
        const Bits empty = ~(own_ | enemy_);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const int move = moves[i];
            worth[i] = 0;
            if (move == State::kPass) continue;
            const Bits cell = 1ULL << move, turned = flips(own_, enemy_, move);
            const Bits mine = own_ | turned | cell, theirs = enemy_ & ~turned;
            const Bits replies = reversi::moves(theirs, mine);
            int value = -tuning_.order_replies * count(replies);
            value -= tuning_.order_corner_replies * count(replies & kCorners);
            if (cell & kCorners) value += tuning_.order_corner;
            value -= tuning_.order_frontier * count(neighbours(mine) & empty);
            if constexpr (Evaluation::kUsesIndices)
                if (depth >= tuning_.order_evaluation_depth) {
                    Indices after = kept_;
                    update(after, move, turned, to_move_ ? -1 : 1);
                    value -=
                        tuning_.order_evaluation * evaluation_.evaluate(after, to_move_ ? 1 : -1, count(empty) - 1);
                }
            worth[i] = tuning_.order_scale * value;
        }
    }

    // The solver answers null windows; the principal variation is searched move by move, so that it has its moves. While
    // something is left out it gets few cells: ProbCut saves more of many.
    template <class Count>
    std::optional<alphabeta::Score> solve(int depth, alphabeta::Score alpha, alphabeta::Score beta, int level,
                                          Count& count) {
        const int left = plies_left();
        if (depth < left || left > (level ? tuning_.solver_empties_selective : tuning_.solver_empties) ||
            beta - alpha > 1)
            return std::nullopt;
        std::uint64_t told = 0;
        const auto tell = [&] { return count.count(solver_.nodes() - std::exchange(told, solver_.nodes())); };
        solver_.start(tell);
        const int below = discs_below(alpha), score = solver_.solve(own_, enemy_, below, below + 1);
        const bool is_over = solver_.is_interrupted();
        tell();
        solver_.start(nullptr);
        if (is_over) return std::nullopt;
        return score * kDisc;
    }
    // Looking to the end, with something left out or not, costs no more than looking so deep by the evaluation.
    int end_from() const { return from(tuning_.end_plies); }
    int exact_from() const { return from(tuning_.end_plies_exact); }
    bool solves_whole() const { return plies_left() <= tuning_.solver_empties; }

private:
    int from(int plies) const {
        const int left = plies_left();
        return left <= tuning_.solver_empties ? std::max(left - plies, tuning_.end_depth) : alphabeta::kMaxPly;
    }

    // The greatest number of discs that is worth no more than a score.
    static int discs_below(alphabeta::Score score) {
        const int discs = score >= 0 ? score / kDisc : -((-score + kDisc - 1) / kDisc);
        return std::clamp(discs, -kCells - 1, kCells);
    }

    // Who is to move is told by whose discs are whose.
    static std::uint64_t key_of(Bits own, Bits enemy) {
        std::uint64_t key = (own * 0x9e3779b97f4a7c15ULL) ^ std::rotl(enemy * 0xd1342543de82ef95ULL, 32);
        key = (key ^ key >> 32) * 0xbf58476d1ce4e5b9ULL;
        return key ^ key >> 29;
    }
    // Found when somebody asks: most leaves are evaluated without.
    Bits can() const {
        if (!knows_moves_) {
            can_ = reversi::moves(own_, enemy_);
            knows_moves_ = true;
        }
        return can_;
    }

    Bits own_, enemy_;
    mutable Bits can_;
    mutable bool knows_moves_ = true;
    int to_move_;
    Evaluation evaluation_;
    PositionTuning tuning_;
    CellOrder cell_order_;
    TENGEN_NO_UNIQUE_ADDRESS Kept kept_;
    Solver solver_;
};

}  // namespace tengen::reversi
