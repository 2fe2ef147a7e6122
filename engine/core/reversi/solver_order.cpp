// The order in which a solver tries moves.
#include <algorithm>
#include <utility>

#include "core/reversi/solver_thread.hpp"
#include "core/reversi/state.hpp"

namespace tengen::reversi {
namespace {

// Tuned by the nodes of FFO 40 to 44.
constexpr int kReply = 24, kCorner = 12, kOdd = 12, kOpen = 2;
constexpr int kEvaluated = 24;  // a disc of the evaluation

// From so many empty cells on moves are ordered by looking so many plies further than the evaluation of what they lead
// to.
constexpr int kGuessEmpties[] = {14, 17, 20};
constexpr int kMoreForPv = 2;

constexpr int kBeyond = 1 << 19;  // more than any evaluation

}  // namespace

// Few replies first, those in corners twice; then corners, odd quarters, and few empty cells next to own discs, for
// these are the enemy's future moves.
int SolverThread::list(const Place& place, Bits can, int first, Candidate* out) {
    const Bits empty = place.empty();
    const Wide own(place.own), enemy(place.enemy);
    int found = 0;
    for (Bits rest = can; rest; rest &= rest - 1) {
        const int move = lowest(rest);
        const Bits turned = flip_bits(own, enemy, move), cell = rest & -rest;
        const Bits mine = place.own | turned | cell, theirs = place.enemy ^ turned;
        const Bits replies = moves(theirs, mine);
        int order = kReply * (reversi::count(replies) + reversi::count(replies & kCorners));
        order += kOpen * reversi::count(neighbours(mine) & empty);
        if (cell & kCorners) order -= kCorner;
        if (cell & place.odd) order -= kOdd;
        if (!theirs) order = kWipeOut;
        if (move == first) order = kFirst;
        out[found++] = {turned, move, order};
    }
    return found;
}

// Brings the best of those from `at` on there: most nodes need a move or two.
SolverThread::Candidate& SolverThread::pick(Candidate* moves, int count, int at) {
    int best = at;
    for (int i = at + 1; i < count; ++i)
        if (moves[i].order < moves[best].order) best = i;
    if (best != at) std::swap(moves[at], moves[best]);
    return moves[at];
}

// Adds what a shallow search says of the moves.
void SolverThread::judge(const Place& place, const Sight& sight, Candidate* moves, int count, bool is_pv) {
    int depth = is_pv ? kMoreForPv : 0;
    for (const int empties : kGuessEmpties) depth += place.empties >= empties;
    if (!shared_.tables) depth = std::max(depth - 1, 0);
    for (int i = 0; i < count; ++i) {
        Candidate& move = moves[i];
        if (move.order == kFirst || move.order == kWipeOut) continue;
        const int value = guess(after(place, move), after(sight, move), depth, -kBeyond, kBeyond);
        move.order += kEvaluated * value / kDisc;
    }
}

// Alpha-beta on the evaluation. It only orders moves.
int SolverThread::guess(const Place& place, const Sight& sight, int depth, int alpha, int beta) {
    ++nodes_;
    if (depth == 0 || place.empties == 0) {
        if (place.empties == 0) return kDisc * final_margin(place.own, place.enemy);
        return shared_.tables ? shared_.tables->evaluate(sight.indices, sight.sign, place.empties)
                              : MobilityEvaluation::evaluate(place.own, place.enemy);
    }
    const Bits can = moves(place.own, place.enemy);
    if (!can) {
        if (!moves(place.enemy, place.own)) return kDisc * final_margin(place.own, place.enemy);
        return -guess(passed(place), passed(sight), depth, -beta, -alpha);
    }
    Candidate candidates[kCells];
    const int found = list(place, can, -1, candidates);
    int best = -kBeyond;
    for (int i = 0; i < found && best < beta; ++i) {
        const Candidate& move = pick(candidates, found, i);
        best = std::max(best, -guess(after(place, move), after(sight, move), depth - 1, -beta, -std::max(alpha, best)));
    }
    return best;
}

}  // namespace tengen::reversi
