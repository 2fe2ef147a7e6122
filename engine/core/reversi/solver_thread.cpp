// Far nodes and the principal variation.
#include "core/reversi/solver_thread.hpp"

#include <algorithm>
#include <utility>

#include "core/reversi/last_cells.hpp"
#include "core/reversi/state.hpp"

namespace tengen::reversi {
namespace {

Bits odd_quarters(Bits empty) {
    Bits odd = 0;
    for (const std::size_t corner : {0, 4, 32, 36})
        if (count(empty & last::kQuarters[corner]) & 1) odd |= last::kQuarters[corner];
    return odd;
}

bool decides(const Known& known, int alpha, int beta) {
    return known.low >= beta || known.high <= alpha || known.low == known.high;
}

int score_of(const Known& known, int beta) { return known.low >= beta ? known.low : known.high; }

// What a search with that window adds. A move is kept that raised the lower bound: when both bounds meet it is the
// best.
void learn(Known& known, int alpha, int beta, int best, int move) {
    if (best > alpha && best >= known.low) {
        known.low = best;
        known.move = move;
    }
    if (best < beta) known.high = std::min(known.high, best);
    if (known.move < 0) known.move = move;
}

}  // namespace

SolverThread::Place SolverThread::after(const Place& place, const Candidate& move) {
    return {place.enemy ^ move.turned, place.own | move.turned | 1ULL << move.move,
            place.odd ^ last::kQuarters[static_cast<std::size_t>(move.move)], place.empties - 1};
}

SolverThread::Sight SolverThread::after(const Sight& sight, const Candidate& move) const {
    Sight out{sight.indices, -sight.sign};
    if (shared_.tables) update(out.indices, move.move, move.turned, sight.sign);
    return out;
}

void SolverThread::start(std::function<bool()> interrupted) {
    interrupted_ = std::move(interrupted);
    is_over_ = false;
    nodes_ = 0;
    next_poll_ = kPollEvery;
    published_.store(0, std::memory_order_relaxed);
}

void SolverThread::poll() {
    if (nodes_ < next_poll_) return;
    next_poll_ = nodes_ + kPollEvery;
    published_.store(nodes_, std::memory_order_relaxed);
    if (interrupted_ && interrupted_()) shared_.is_over.store(true, std::memory_order_relaxed);
    if (shared_.is_over.load(std::memory_order_relaxed)) is_over_ = true;
}

int SolverThread::solve(Bits own, Bits enemy, int alpha, int beta) {
    if (!shared_.memory) ++run_;  // scores depend on nothing before
    above_.clear();
    back_to_ = best_move_ = -1;
    const Place root{own, enemy, odd_quarters(~(own | enemy)), reversi::count(~(own | enemy))};
    Sight sight;
    if (shared_.tables) sight.indices = indices_of(own, enemy);
    return beta - alpha > 1 ? search_pv(root, sight, alpha, beta, true) : search_null(root, sight, alpha);
}

// Whether another thread has finished a node above; then the search goes back to it.
bool SolverThread::is_over_above() {
    Known known;
    for (std::size_t i = 0; i < above_.size(); ++i)
        if (shared_.memory->table.find(above_[i].key, known) && decides(known, above_[i].alpha, above_[i].beta)) {
            back_to_ = static_cast<int>(i);
            return true;
        }
    return false;
}

// Whether another thread is at that move, which is not the first; then it comes later.
bool SolverThread::puts_off(Candidate& move, const Place& next, int at) {
    if (at == 0 || move.order >= kLater / 2) return false;
    const std::uint64_t key = solver_key(next.own, next.enemy);
    if (shared_.marks[key % SolverShared::kMarks].load(std::memory_order_relaxed) != key) return false;
    move.order += kLater;
    return true;
}

int SolverThread::search_null(const Place& place, const Sight& sight, int alpha) {
    return is_far(place) ? search_far(place, sight, alpha) : search_near(place, alpha);
}

int SolverThread::search_far(const Place& place, const Sight& sight, int alpha) {
    ++nodes_;
    poll();
    if (is_over_) return alpha;
    if (const int most = most_by_stable(place, alpha); most <= alpha) return most;
    const std::uint64_t key = solver_key(place.own, place.enemy);
    Known known;
    if (shared_.memory->table.find(key, known) && decides(known, alpha, alpha + 1)) return score_of(known, alpha + 1);
    const bool is_shared = shared_.has_helpers && place.empties >= kSharedEmpties;
    if (!is_shared) return try_far(place, sight, alpha, key, known);

    if (is_over_above()) return alpha;
    const int here = static_cast<int>(above_.size());
    above_.push_back({key, alpha, alpha + 1});
    auto& mark = shared_.marks[key % SolverShared::kMarks];
    std::uint64_t free = 0;
    const bool is_marked = mark.compare_exchange_strong(free, key, std::memory_order_relaxed);
    const int score = try_far(place, sight, alpha, key, known);
    if (is_marked) mark.store(0, std::memory_order_relaxed);
    above_.pop_back();
    if (back_to_ != here || is_over_) return score;
    back_to_ = -1;
    Known found;  // gone already only if others took its place
    if (shared_.memory->table.find(key, found) && decides(found, alpha, alpha + 1)) return score_of(found, alpha + 1);
    return search_far(place, sight, alpha);
}

// Its moves. `known`: what the table says of it.
int SolverThread::try_far(const Place& place, const Sight& sight, int alpha, std::uint64_t key, Known& known) {
    const Bits can = moves(place.own, place.enemy);
    if (!can) {
        if (!moves(place.enemy, place.own)) return final_margin(place.own, place.enemy);
        return -search_far(passed(place), passed(sight), -alpha - 1);
    }
    Candidate candidates[kCells];
    const int found = list(place, can, known.move, candidates);
    if (place.empties > kNearEmpties + 1)  // what the moves lead to is in the table, too
        for (int i = 0; i < found; ++i) {
            const Place next = after(place, candidates[i]);
            Known other;
            if (shared_.memory->table.find(solver_key(next.own, next.enemy), other) && -other.high > alpha)
                return -other.high;
        }
    if (found > 1) judge(place, sight, candidates, found, false);
    const bool is_shared = shared_.has_helpers && place.empties > kSharedEmpties;
    int best = last::kNone, best_move = -1;
    for (int i = 0; i < found; ++i) {
        Candidate& move = pick(candidates, found, i);
        const Place next = after(place, move);
        if (is_shared && puts_off(move, next, i)) {
            --i;
            continue;
        }
        const int score =
            -(is_far(next) ? search_far(next, after(sight, move), -alpha - 1) : search_near(next, -alpha - 1));
        if (is_stopped()) return alpha;
        if (score > best) {
            best = score;
            best_move = move.move;
            if (best > alpha) break;
        }
    }
    learn(known, alpha, alpha + 1, best, best_move);
    shared_.memory->table.store(key, known, place.empties);
    return best;
}

int SolverThread::search_pv(const Place& place, const Sight& sight, int alpha, int beta, bool is_root) {
    ++nodes_;
    poll();
    if (is_over_) return alpha;
    const Bits can = moves(place.own, place.enemy);
    if (!can) {
        if (!moves(place.enemy, place.own)) return final_margin(place.own, place.enemy);
        return -search_pv(passed(place), passed(sight), -beta, -alpha, false);
    }
    const bool far = is_far(place);
    const std::uint64_t key = solver_key(place.own, place.enemy);
    Known known;
    if (far && shared_.memory->table.find(key, known) && decides(known, alpha, beta) && known.move >= 0) {
        if (is_root) best_move_ = known.move;
        return score_of(known, beta);
    }
    Candidate candidates[kCells];
    const int found = list(place, can, known.move, candidates);
    if (far && found > 1) judge(place, sight, candidates, found, true);
    const bool is_shared = shared_.has_helpers && place.empties > kSharedEmpties && far;
    int best = last::kNone, best_move = -1, low = alpha;
    for (int i = 0; i < found && best < beta; ++i) {
        Candidate& move = pick(candidates, found, i);
        const Place next = after(place, move);
        if (is_shared && puts_off(move, next, i)) {
            --i;
            continue;
        }
        const Sight then = after(sight, move);
        int score;
        if (i == 0) {
            score = -search_pv(next, then, -beta, -low, false);
        } else {
            score = -search_null(next, then, -low - 1);
            if (score > low && score < beta && !is_stopped()) score = -search_pv(next, then, -beta, 1 - score, false);
        }
        if (is_stopped()) return alpha;
        if (score > best) {
            best = score;
            best_move = move.move;
            low = std::max(low, best);
            if (is_root && best > alpha) best_move_ = move.move;
        }
    }
    if (far) {
        learn(known, alpha, beta, best, best_move);
        shared_.memory->table.store(key, known, place.empties);
    }
    return best;
}

}  // namespace tengen::reversi
