#include "core/reversi/solver.hpp"

#include <algorithm>

#include "core/reversi/state.hpp"

namespace tengen::reversi {
namespace {

constexpr Bits kQuadrants[4] = {0x000000000f0f0f0fULL, 0x00000000f0f0f0f0ULL, 0x0f0f0f0f00000000ULL,
                                0xf0f0f0f000000000ULL};

// Empty cells in quarters of the board with an odd number of them: who plays there first also plays there last.
Bits odd_regions(Bits empty) {
    Bits odd = 0;
    for (const Bits quadrant : kQuadrants)
        if (count(empty & quadrant) & 1) odd |= quadrant;
    return odd & empty;
}

}  // namespace

int Solver::solve(Bits own, Bits enemy, int alpha, int beta) {
    if (table_bits_ && table_.empty()) table_.resize(std::size_t{1} << table_bits_);
    return search(own, enemy, alpha, beta);
}

bool Solver::poll() {
    if (++nodes_ >= next_poll_) {
        next_poll_ = nodes_ + kPollEvery;
        if (interrupted_ && interrupted_()) is_interrupted_ = true;
    }
    return is_interrupted_;
}

Solver::Entry* Solver::entry_of(Bits own, Bits enemy) {
    std::uint64_t key = (own * 0x9e3779b97f4a7c15ULL) ^ std::rotl(enemy * 0xd1342543de82ef95ULL, 32);
    key = (key ^ key >> 32) * 0xbf58476d1ce4e5b9ULL;
    return &table_[key >> (64 - table_bits_)];
}

int Solver::search(Bits own, Bits enemy, int alpha, int beta) {
    const Bits empty = ~(own | enemy);
    if (count(empty) <= kPlainEmpties) return search_plain(own, enemy, empty, alpha, beta, false);
    if (poll()) return alpha;
    Bits can = moves(own, enemy);
    if (can) return search_ordered(own, enemy, can, alpha, beta);
    can = moves(enemy, own);
    return can ? -search_ordered(enemy, own, can, -beta, -alpha) : final_margin(own, enemy);
}

// The moves with the best first: the table's, then those that leave few replies, corners and odd regions preferred.
int Solver::sort(Bits own, Bits enemy, Bits can, int first, Candidate* out) const {
    const Bits empty = ~(own | enemy), odd = odd_regions(empty);
    int found = 0;
    for (Bits rest = can; rest; rest &= rest - 1) {
        const int move = lowest(rest);
        const Bits turned = flips(own, enemy, move), cell = 1ULL << move;
        Candidate& c = out[found++];
        c.own = enemy & ~turned;
        c.enemy = own | turned | cell;
        c.move = move;
        const Bits replies = moves(c.own, c.enemy);
        c.order = 16 * count(replies) + 16 * count(replies & kCorners);
        if (!c.own) c.order = -2000;  // wiped out
        if (cell & kCorners) c.order -= 24;
        if (cell & odd) c.order -= 12;
        c.order += count(neighbours(c.enemy) & empty);  // open cells at own discs are the enemy's future moves
        if (move == first) c.order = -1000;
    }
    std::sort(out, out + found, [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
    return found;
}

int Solver::search_ordered(Bits own, Bits enemy, Bits can, int alpha, int beta) {
    const int empties = count(~(own | enemy));
    Entry* entry = table_bits_ && empties >= kTableEmpties ? entry_of(own, enemy) : nullptr;
    int first = -1;
    if (entry && entry->own == own && entry->enemy == enemy) {
        if (entry->low >= beta || entry->low == entry->high) return entry->low;
        if (entry->high <= alpha) return entry->high;
        alpha = std::max<int>(alpha, entry->low);
        beta = std::min<int>(beta, entry->high);
        first = entry->move;
    }
    std::array<Candidate, kCells> candidates;
    const int found = sort(own, enemy, can, first, candidates.data());
    int best = kWorst - 1, best_move = -1, low = alpha;
    for (int i = 0; i < found && best < beta; ++i) {
        const Candidate& c = candidates[static_cast<std::size_t>(i)];
        int score;
        if (i == 0 || beta - low <= 1) {
            score = -search(c.own, c.enemy, -beta, -low);
        } else {
            score = -search(c.own, c.enemy, -low - 1, -low);
            if (score > low && score < beta) score = -search(c.own, c.enemy, -beta, -score);
        }
        if (is_interrupted_) return alpha;
        if (score > best) {
            best = score;
            best_move = c.move;
            low = std::max(low, score);
        }
    }
    if (entry) {
        const bool same = entry->own == own && entry->enemy == enemy;
        if (!same) *entry = {own, enemy, kWorst, kBest, -1, static_cast<std::uint8_t>(empties)};
        if (best < beta) entry->high = static_cast<std::int8_t>(best);
        if (best > alpha) entry->low = static_cast<std::int8_t>(best);
        entry->move = static_cast<std::int8_t>(best_move);
    }
    return best;
}

int Solver::last_cell(Bits own, Bits enemy, int cell) {
    const int turned = count(flips(own, enemy, cell));
    const int difference = count(own) - count(enemy);
    if (turned) return difference + 2 * turned + 1;
    const int answered = count(flips(enemy, own, cell));
    if (answered) return difference - 2 * answered - 1;
    return difference + (difference > 0 ? 1 : difference < 0 ? -1 : 0);
}

int Solver::search_plain(Bits own, Bits enemy, Bits empty, int alpha, int beta, bool passed) {
    ++nodes_;
    if (!(empty & (empty - 1))) return empty ? last_cell(own, enemy, lowest(empty)) : count(own) - count(enemy);
    const Bits odd = odd_regions(empty);
    int best = kWorst - 1;
    for (Bits part : {odd, empty & ~odd})
        for (; part; part &= part - 1) {
            const int move = lowest(part);
            const Bits turned = flips(own, enemy, move);
            if (!turned) continue;
            const Bits cell = part & -part;
            const int score =
                -search_plain(enemy & ~turned, own | turned | cell, empty ^ cell, -beta, -std::max(alpha, best), false);
            if (score > best) {
                best = score;
                if (best >= beta) return best;
            }
        }
    if (best >= kWorst) return best;
    return passed ? final_margin(own, enemy) : -search_plain(enemy, own, empty, -beta, -alpha, true);
}

}  // namespace tengen::reversi
