#include "core/reversi/solver.hpp"

#include <algorithm>

#include "core/reversi/last_cells.hpp"
#include "core/reversi/stable.hpp"
#include "core/reversi/state.hpp"

#ifndef P
#define P(name, value) constexpr int name = value
#endif

namespace tengen::reversi {
namespace {

P(kPlainEmpties, 6);    // up to here moves are tried in the order of parity alone
P(kNearEmpties, 12);    // up to here the near table, moves ordered by mobility
P(kEtcEmpties, 12);
P(kNearTableBits, 14);
P(wMobility, 16);
P(wCorner, 24);
P(wOdd, 12);
P(wOpen, 1);
P(wEval, 16);
P(wFarMob, 16);
P(kGuess1, 16);
P(kGuess2, 19);
P(kGuess3, 22);
P(kStable, 12);

Bits odd_quarters(Bits empty) {
    Bits odd = 0;
    for (const std::size_t corner : {0, 4, 32, 36})
        if (count(empty & last::kQuarters[corner]) & 1) odd |= last::kQuarters[corner];
    return odd;
}

// From which alpha on it is worth to count stable discs, by empty cells.
int stable_from(int empties) { return empties < 5 ? 99 : 2 * empties - 4 - 12 + kStable; }

}  // namespace

Solver::Place Solver::after(const Place& place, int move, Bits turned) {
    const auto cell = static_cast<std::size_t>(move);
    return {place.enemy ^ turned, place.own | turned | 1ULL << move, place.odd ^ last::kQuarters[cell],
            place.empties - 1};
}

bool Solver::poll() {
    if (nodes_ >= next_poll_) {
        next_poll_ = nodes_ + kPollEvery;
        if (interrupted_ && interrupted_()) is_interrupted_ = true;
    }
    return is_interrupted_;
}

int Solver::solve(Bits own, Bits enemy, int alpha, int beta) {
    if (table_bits_ && !table_) table_ = std::make_shared<SolverTable>(table_bits_);
    if (near_.empty()) near_.resize(std::size_t{1} << kNearTableBits);
    const Bits empty = ~(own | enemy);
    Sight sight{.sign = 1};
    if (tables_) sight.indices = indices_of(own, enemy);
    return search_pv({own, enemy, odd_quarters(empty), count(empty)}, sight, alpha, beta, true);
}

Solver::Sight Solver::seen(const Sight& sight, int move, Bits turned) const {
    if (!tables_) return sight;
    Sight out{sight.indices, -sight.sign};
    if (move >= 0) update(out.indices, move, turned, sight.sign);
    return out;
}

int Solver::search_small(const Place& p, int alpha) {
    const Bits empty = ~(p.own | p.enemy);
    switch (p.empties) {
        case 4: return last::score_4(Wide(p.own), Wide(p.enemy), alpha, empty, p.odd, nodes_);
        case 3: return last::score_3(Wide(p.own), Wide(p.enemy), alpha, empty, p.odd, nodes_);
        case 2:
            return last::score_2(Wide(p.own), Wide(p.enemy), alpha, lowest(empty), lowest(empty & (empty - 1)), nodes_);
        case 1: return last::score_1(p.own, lowest(empty));
        default: return count(p.own) - count(p.enemy);
    }
}

int Solver::search_plain(const Place& p, int alpha) {
    ++nodes_;
    if (alpha >= stable_from(p.empties)) {
        const int most = kBest - 2 * count(stable(p.enemy, p.own));
        if (most <= alpha) return most;
    }
    const Bits can = moves(p.own, p.enemy);
    if (!can) {
        if (!moves(p.enemy, p.own)) return final_margin(p.own, p.enemy);
        return -search_plain(passed(p), -alpha - 1);
    }
    int best = last::kNone;
    const Wide own(p.own), enemy(p.enemy);
    for (Bits part : {can & p.odd, can & ~p.odd})
        for (; part; part &= part - 1) {
            const int move = lowest(part);
            const Place next = after(p, move, flip_bits(own, enemy, move));
            const int score = -(next.empties <= last::kCellsAtMost ? search_small(next, -alpha - 1)
                                                                   : search_plain(next, -alpha - 1));
            if (score > best) {
                best = score;
                if (best > alpha) return best;
            }
        }
    return best;
}

int Solver::list(const Place& p, Bits can, int first, Candidate* out) const {
    const Bits empty = ~(p.own | p.enemy);
    const Wide own(p.own), enemy(p.enemy);
    int found = 0;
    for (Bits rest = can; rest; rest &= rest - 1) {
        const int move = lowest(rest);
        const Bits turned = flip_bits(own, enemy, move), cell = rest & -rest;
        Candidate& c = out[found++];
        c.turned = turned;
        c.move = move;
        const Bits mine = p.own | turned | cell, theirs = p.enemy ^ turned;
        const Bits replies = moves(theirs, mine);
        c.order = wMobility * (count(replies) + count(replies & kCorners));
        if (!theirs) c.order = -2000;  // wiped out
        if (cell & kCorners) c.order -= wCorner;
        if (cell & p.odd) c.order -= wOdd;
        c.order += wOpen * count(neighbours(mine) & empty);
        if (move == first) c.order = -10000;
    }
    return found;
}

namespace {
template <class C>
C& pick(C* moves, int count, int i) {
    int best = i;
    for (int j = i + 1; j < count; ++j)
        if (moves[j].order < moves[best].order) best = j;
    if (best != i) std::swap(moves[i], moves[best]);
    return moves[i];
}
}  // namespace

int Solver::search_near(const Place& p, int alpha) {
    if (p.empties <= last::kCellsAtMost) return search_small(p, alpha);
    if (p.empties <= kPlainEmpties) return search_plain(p, alpha);
    ++nodes_;
    if (poll()) return alpha;
    if (alpha >= stable_from(p.empties)) {
        const int most = kBest - 2 * count(stable(p.enemy, p.own));
        if (most <= alpha) return most;
    }
    NearEntry& entry = near_[solver_key(p.own, p.enemy) >> (64 - kNearTableBits)];
    int first = -1;
    const bool hit = entry.own == p.own && entry.enemy == p.enemy;
    if (hit) {
        if (entry.low > alpha) return entry.low;
        if (entry.high <= alpha) return entry.high;
        first = entry.move;
    }
    const Bits can = moves(p.own, p.enemy);
    if (!can) {
        if (!moves(p.enemy, p.own)) return final_margin(p.own, p.enemy);
        return -search_near(passed(p), -alpha - 1);
    }
    Candidate list_of[kCells];
    const int found = list(p, can, first, list_of);
    int best = last::kNone, best_move = -1;
    for (int i = 0; i < found; ++i) {
        const Candidate& c = pick(list_of, found, i);
        const int score = -search_near(after(p, c.move, c.turned), -alpha - 1);
        if (score > best) {
            best = score;
            best_move = c.move;
            if (best > alpha) break;
        }
    }
    if (is_interrupted_) return alpha;
    const bool same = entry.own == p.own && entry.enemy == p.enemy;
    if (!same) entry = {p.own, p.enemy};
    if (best > alpha)
        entry.low = static_cast<std::int8_t>(best);
    else
        entry.high = static_cast<std::int8_t>(best);
    entry.move = static_cast<std::int8_t>(best_move);
    return best;
}

int Solver::guess(const Place& p, const Sight& sight, int depth, int alpha, int beta) {
    if (p.empties == 0) return kDisc * (count(p.own) - count(p.enemy));
    if (depth == 0)
        return tables_ ? tables_->evaluate(sight.indices, sight.sign, p.empties)
                       : MobilityEvaluation::evaluate(p.own, p.enemy);
    const Bits can = moves(p.own, p.enemy);
    if (!can) {
        if (!moves(p.enemy, p.own)) return kDisc * final_margin(p.own, p.enemy);
        return -guess(passed(p), seen(Sight{sight.indices, sight.sign}, -1, 0), depth, -beta, -alpha);
    }
    int best = -1 << 20;
    Candidate moves_of[kCells];
    int found = 0;
    if (depth >= 2) {
        found = list(p, can, -1, moves_of);
    } else {
        const Wide own(p.own), enemy(p.enemy);
        for (Bits rest = can; rest; rest &= rest - 1) {
            const int move = lowest(rest);
            moves_of[found++] = {flip_bits(own, enemy, move), move, 0};
        }
    }
    for (int i = 0; i < found; ++i) {
        const Candidate& c = depth >= 2 ? pick(moves_of, found, i) : moves_of[i];
        const int score = -guess(after(p, c.move, c.turned), seen(sight, c.move, c.turned), depth - 1, -beta,
                                 -std::max(alpha, best));
        if (score > best) {
            best = score;
            if (best >= beta) break;
        }
    }
    ++nodes_;
    return best;
}

void Solver::judge(const Place& p, const Sight& sight, int alpha, Candidate* moves_of, int found, int first, bool pv) {
    int depth = p.empties >= kGuess3 ? 3 : p.empties >= kGuess2 ? 2 : p.empties >= kGuess1 ? 1 : 0;
    if (pv) depth += 2;
    if (!tables_) depth = std::max(depth - 1, 0);
    (void)alpha;
    for (int i = 0; i < found; ++i) {
        Candidate& c = moves_of[i];
        if (c.move == first || c.order == -2000) continue;
        const Place next = after(p, c.move, c.turned);
        int value;
        value = guess(next, seen(sight, c.move, c.turned), depth, -(1 << 19), 1 << 19);
        c.order = wEval * value / kDisc + wFarMob * c.order / 16;
    }
}

int Solver::search_null(const Place& p, const Sight& sight, int alpha) {
    return p.empties <= kNearEmpties || !table_ ? search_near(p, alpha) : search_far(p, sight, alpha);
}

int Solver::search_far(const Place& p, const Sight& sight, int alpha) {
    ++nodes_;
    if (poll()) return alpha;
    if (alpha >= stable_from(p.empties)) {
        const int most = kBest - 2 * count(stable(p.enemy, p.own));
        if (most <= alpha) return most;
    }
    const std::uint64_t key = solver_key(p.own, p.enemy);
    Known known;
    if (table_->find(key, known)) {
        if (known.low > alpha) return known.low;
        if (known.high <= alpha) return known.high;
    }
    const Bits can = moves(p.own, p.enemy);
    if (!can) {
        if (!moves(p.enemy, p.own)) return final_margin(p.own, p.enemy);
        return -search_far(passed(p), seen(sight, -1, 0), -alpha - 1);
    }
    Candidate moves_of[kCells];
    const int found = list(p, can, known.move, moves_of);
    if (p.empties > kEtcEmpties + 1) {
        for (int i = 0; i < found; ++i) {
            const Place next = after(p, moves_of[i].move, moves_of[i].turned);
            Known other;
            if (table_->find(solver_key(next.own, next.enemy), other) && -other.high > alpha) return -other.high;
        }
    }
    if (found > 1) judge(p, sight, alpha, moves_of, found, known.move, false);
    int best = last::kNone, best_move = -1;
    for (int i = 0; i < found; ++i) {
        const Candidate& c = pick(moves_of, found, i);
        const Place next = after(p, c.move, c.turned);
        const int score = -search_null(next, next.empties > kNearEmpties ? seen(sight, c.move, c.turned) : sight, -alpha - 1);
        if (is_interrupted_) return alpha;
        if (score > best) {
            best = score;
            best_move = c.move;
            if (best > alpha) { stat[0][p.empties]++; stat[1][p.empties] += i == 0; break; }
        }
    }
    if (best > alpha)
        known.low = std::max(known.low, best);
    else
        known.high = std::min(known.high, best);
    known.move = best_move;
    table_->store(key, known, p.empties);
    return best;
}

int Solver::search_pv(const Place& p, const Sight& sight, int alpha, int beta, bool is_root) {
    ++nodes_;
    if (poll()) return alpha;
    const Bits can = moves(p.own, p.enemy);
    if (!can) {
        if (!moves(p.enemy, p.own)) return final_margin(p.own, p.enemy);
        return -search_pv(passed(p), seen(sight, -1, 0), -beta, -alpha);
    }
    const std::uint64_t key = solver_key(p.own, p.enemy);
    Known known;
    const bool far = table_ && p.empties > kNearEmpties;
    if (far) table_->find(key, known);
    Candidate moves_of[kCells];
    const int found = list(p, can, known.move, moves_of);
    if (far && found > 1) judge(p, sight, alpha, moves_of, found, known.move, true);
    int best = last::kNone, best_move = -1, low = alpha;
    for (int i = 0; i < found && best < beta; ++i) {
        const Candidate& c = pick(moves_of, found, i);
        const Place next = after(p, c.move, c.turned);
        const Sight then = seen(sight, c.move, c.turned);
        int score;
        if (i == 0) {
            score = -search_pv(next, then, -beta, -low);
        } else {
            score = -search_null(next, then, -low - 1);
            if (score > low && score < beta && !is_interrupted_) score = -search_pv(next, then, -beta, -score+1);
        }
        if (is_interrupted_) return alpha;
        if (score > best) {
            best = score;
            best_move = c.move;
            low = std::max(low, best);
            if (is_root) root_move_ = c.move;
        }
    }
    if (far) {
        if (best > alpha) known.low = std::max(known.low, best);
        if (best < beta) known.high = std::min(known.high, best);
        known.move = best_move;
        table_->store(key, known, p.empties);
    }
    return best;
}

}  // namespace tengen::reversi
