// Near and plain nodes of a solver: most of them, the last cells aside.
#include <algorithm>

#include "core/reversi/last_cells.hpp"
#include "core/reversi/solver_thread.hpp"
#include "core/reversi/stable.hpp"
#include "core/reversi/state.hpp"

namespace tengen::reversi {

int SolverThread::search_last(const Place& place, int alpha) {
    const Bits empty = place.empty();
    const Wide own(place.own), enemy(place.enemy);
    switch (place.empties) {
        case 4: return last::score_4(own, enemy, alpha, empty, place.odd, nodes_);
        case 3: return last::score_3(own, enemy, alpha, empty, place.odd, nodes_);
        case 2: return last::score_2(own, enemy, alpha, lowest(empty), lowest(empty & (empty - 1)), nodes_);
        case 1: return last::score_1(place.own, lowest(empty));
        default: return reversi::count(place.own) - reversi::count(place.enemy);
    }
}

// Counting stable discs pays from a margin on that is the larger the more cells are empty.
int SolverThread::most_by_stable(const Place& place, int alpha) {
    if (alpha < 2 * place.empties - 4) return kCells + 1;
    return kCells - 2 * reversi::count(stable(place.enemy, place.own));
}

int SolverThread::search_plain(const Place& place, int alpha) {
    ++nodes_;
    if (const int most = most_by_stable(place, alpha); most <= alpha) return most;
    const Bits can = moves(place.own, place.enemy);
    if (!can) {
        if (!moves(place.enemy, place.own)) return final_margin(place.own, place.enemy);
        return -search_plain(passed(place), -alpha - 1);
    }
    const Wide own(place.own), enemy(place.enemy);
    int best = last::kNone;
    for (Bits part : {can & place.odd, can & ~place.odd})
        for (; part; part &= part - 1) {
            const int move = lowest(part);
            const Place next = after(place, {flip_bits(own, enemy, move), move, 0});
            const int score =
                -(next.empties <= last::kCellsAtMost ? search_last(next, -alpha - 1) : search_plain(next, -alpha - 1));
            if (score > best) {
                best = score;
                if (best > alpha) return best;
            }
        }
    return best;
}

int SolverThread::search_near(const Place& place, int alpha) {
    if (place.empties <= last::kCellsAtMost) return search_last(place, alpha);
    if (place.empties <= kPlainEmpties) return search_plain(place, alpha);
    ++nodes_;
    poll();
    if (is_over_) return alpha;
    NearEntry& entry = near_[solver_key(place.own, place.enemy) >> (64 - kNearBits)];
    if (const int most = most_by_stable(place, alpha); most <= alpha) return most;
    const Bits can = moves(place.own, place.enemy);
    const auto is_of = [&] { return entry.own == place.own && entry.enemy == place.enemy && entry.run == run_; };
    int first = -1;
    if (is_of()) {
        if (entry.low > alpha) return entry.low;
        if (entry.high <= alpha) return entry.high;
        first = entry.move;
    }
    if (!can) {
        if (!moves(place.enemy, place.own)) return final_margin(place.own, place.enemy);
        return -search_near(passed(place), -alpha - 1);
    }
    Candidate candidates[kCells];
    const int found = list(place, can, first, candidates);
    int best = last::kNone, best_move = -1;
    for (int i = 0; i < found && best <= alpha; ++i) {
        const Candidate& move = pick(candidates, found, i);
        const int score = -search_near(after(place, move), -alpha - 1);
        if (score > best) {
            best = score;
            best_move = move.move;
        }
    }
    if (is_over_) return alpha;
    if (!is_of()) entry = {.own = place.own, .enemy = place.enemy, .run = run_};
    (best > alpha ? entry.low : entry.high) = static_cast<std::int8_t>(best);
    entry.move = static_cast<std::int8_t>(best_move);
    return best;
}

}  // namespace tengen::reversi
