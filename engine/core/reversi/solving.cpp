#include "core/reversi/solving.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace tengen::reversi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstShare = 0.1;   // of the time at most goes to the tree first: it orders the moves
constexpr double kOrderShare = 0.25;  // of the expected time of the solver, too: more orders no better
constexpr double kSolverShare = 0.6;  // of the time at most to the solver until it has proved who wins
constexpr double kNodesASecond = 2e7, kNodesAPlayout = 32;
constexpr double kUnboundedSeconds = 60;  // to the solver where neither time nor playouts bound the search
constexpr double kTableShare = 0.25;  // of the memory at most

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// About how many nodes a position takes, from midgame positions with 12 to 20 empty cells.
double expected_nodes(int empties) { return 3e4 * std::pow(2.1, empties - 12); }

int table_bits(double memory_mb) {
    int bits = 12;
    while (bits < 20 && Solver::table_mb(bits + 1) <= kTableShare * memory_mb) ++bits;
    return bits;
}

mcts::Settings without_table(mcts::Settings settings) {
    settings.memory_mb = std::max(1.0, settings.memory_mb - Solver::table_mb(table_bits(settings.memory_mb)));
    return settings;
}

// What the tree may take to order the moves for the solver; wall time counts only where it bounds the whole search.
search::Bounds first_part(search::Bounds bounds, double expected) {
    const double seconds = std::max(0.002, kOrderShare * expected / kNodesASecond);
    const auto playouts = static_cast<std::uint64_t>(std::max(200.0, kOrderShare * expected / kNodesAPlayout));
    const std::uint64_t whole = std::max(bounds.playouts, bounds.visits);
    if (whole) bounds.playouts = std::min((whole + 3) / 4, playouts);
    if (bounds.seconds > 0)
        bounds.seconds = std::min(kFirstShare * bounds.seconds, seconds);
    else if (!whole)
        bounds.seconds = seconds;
    return bounds;
}

// How many nodes the solver may have until it has proved who wins; seconds: of the whole search, 0: no bound.
double nodes_within(const search::Bounds& bounds) {
    double nodes = kNodesASecond * kUnboundedSeconds;
    if (bounds.seconds > 0)
        nodes = kNodesASecond * kSolverShare * bounds.seconds;
    else if (bounds.playouts || bounds.visits)
        nodes = std::numeric_limits<double>::infinity();
    for (const std::uint64_t playouts : {bounds.playouts, bounds.visits})
        if (playouts) nodes = std::min(nodes, kNodesAPlayout * static_cast<double>(playouts));
    return nodes;
}

int result_of(int score) { return (score > 0) - (score < 0); }

}  // namespace

SolvingSearch::SolvingSearch(const State& root, const mcts::Settings& settings, const WeightedSettings& evaluator)
    : tree_(root, without_table(settings), evaluator),
      solver_(table_bits(settings.memory_mb)),
      root_empties_(evaluator.root_empties) {}

void SolvingSearch::configure(const mcts::Settings& settings, const WeightedSettings& evaluator) {
    tree_.configure(without_table(settings), evaluator);
    root_empties_ = evaluator.root_empties;
}

double SolvingSearch::seconds_to_solve(int empties) { return expected_nodes(empties) / kNodesASecond / kSolverShare; }

void SolvingSearch::run(const State& root, const search::RootFacts& facts, const search::Bounds& bounds,
                        const search::StopToken& stop) {
    const auto start = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        known_.clear();
        plies_ = count(root.empty());
        earlier_playouts_ = 0;
        earlier_seconds_ = 0;
    }
    const int empties = count(root.empty());
    const double nodes = nodes_within(bounds);
    if (root.is_terminal() || facts.komi_shift != 0 || empties > root_empties_ || expected_nodes(empties) > 2 * nodes) {
        tree_.run(root, facts, bounds, stop);
        return;
    }
    tree_.run(root, facts, first_part(bounds, expected_nodes(empties)), stop);
    const auto first = tree_.report(0, false);
    if (stop.is_stopped()) return;
    std::vector<int> order;
    for (const auto& line : first.lines) order.push_back(line.move);
    int moves[State::kMaxMoves];
    for (int i = 0, n = root.candidate_moves(moves); i < n; ++i)
        if (std::find(order.begin(), order.end(), moves[i]) == order.end() && facts.permits(moves[i]))
            order.push_back(moves[i]);
    const bool is_timed = bounds.playouts == 0 && bounds.visits == 0;
    const double whole = bounds.seconds > 0 ? bounds.seconds : std::numeric_limits<double>::infinity();
    const double share = is_timed && bounds.seconds <= 0 ? kUnboundedSeconds : (kFirstShare + kSolverShare) * whole;
    is_proved_ = false;
    solver_.start([this, stop, start, share, whole, nodes, is_timed] {
        // Once it is proved who wins, the tree has nothing to add.
        return stop.is_stopped() || seconds_since(start) > (is_proved_ ? whole : share) ||
               (!is_timed && static_cast<double>(solver_.nodes()) > nodes);
    });
    solve(root, std::move(order), bounds);
    {
        const std::lock_guard lock(mutex_);
        const bool is_done = stop.is_stopped() || (is_proved_ && (is_timed || known_.front().is_exact));
        earlier_seconds_ = seconds_since(start) - (is_done ? first.seconds : 0);
        if (is_done) return;
        earlier_playouts_ = first.playouts;
    }
    search::Bounds part = bounds;
    if (bounds.seconds > 0) part.seconds = std::max(1e-4, bounds.seconds - seconds_since(start));
    if (bounds.playouts) part.playouts = std::max<std::uint64_t>(1, bounds.playouts - first.playouts);
    tree_.run(root, facts, part, stop);
}

void SolvingSearch::solve(const State& root, std::vector<int> order, const search::Bounds& bounds) {
    const auto to_front = [&order](int move) {
        const auto at = std::find(order.begin(), order.end(), move);
        std::rotate(order.begin(), at, at + 1);
    };
    const Known winner = best_of(root, order, -1, 1);
    if (winner.move < 0) return;
    publish(winner);
    is_proved_ = true;
    to_front(winner.move);
    const int alpha = winner.result > 0 ? 0 : Solver::kWorst, beta = winner.result < 0 ? 0 : Solver::kBest;
    Known best = winner.result == 0 ? winner : best_of(root, order, alpha, beta);
    if (best.move < 0) return;
    best.is_exact = true;
    best.pv = best_line(root, best.move, best.score);
    const std::uint64_t spent = solver_.nodes();
    publish(best);
    // The other moves exactly too, as long as that costs no more than twice what the best one did.
    for (const int move : order) {
        if (bounds.early_stop || solver_.is_interrupted() || solver_.nodes() > 3 * spent + 100000) return;
        if (move == best.move) continue;
        const int score = score_after(root, move, Solver::kWorst, best.score + 1);
        if (solver_.is_interrupted()) return;
        publish({move, result_of(score), score, true, best_line(root, move, score)});
    }
}

int SolvingSearch::score_after(const State& root, int move, int alpha, int beta) {
    State next = root;
    next.play(move);
    return -solver_.solve(next.own(), next.enemy(), -beta, -alpha);
}

SolvingSearch::Known SolvingSearch::best_of(const State& root, const std::vector<int>& order, int alpha, int beta) {
    Known best{-1, 0, Solver::kWorst - 1, false, {}};
    int low = alpha;
    for (const int move : order) {
        int score = best.move < 0 ? score_after(root, move, low, beta) : score_after(root, move, low, low + 1);
        if (best.move >= 0 && score > low && score < beta) score = score_after(root, move, score - 1, beta);
        if (solver_.is_interrupted()) return {-1, 0, 0, false, {}};
        if (score > best.score) best = {move, result_of(score), score, false, {move}};
        low = std::max(low, score);
        if (low >= beta) break;
    }
    return best;
}

std::vector<int> SolvingSearch::best_line(State state, int move, int score) {
    std::vector<int> line;
    while (true) {
        line.push_back(move);
        state.play(move);
        score = -score;
        if (state.is_terminal()) return line;
        int moves[State::kMaxMoves];
        const int found = state.candidate_moves(moves);
        move = -1;
        for (int i = 0; i < found && move < 0; ++i)
            if (found == 1 || score_after(state, moves[i], score - 1, score) >= score) move = moves[i];
        if (move < 0 || solver_.is_interrupted()) return line;
    }
}

void SolvingSearch::publish(Known known) {
    const std::lock_guard lock(mutex_);
    std::erase_if(known_, [&](const Known& k) { return k.move == known.move || !k.is_exact; });
    known_.push_back(std::move(known));
    std::stable_sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) { return a.score > b.score; });
}

search::Report SolvingSearch::report(int max_lines, bool ownership) const {
    auto out = tree_.report(0, ownership);
    const std::lock_guard lock(mutex_);
    out.seconds += earlier_seconds_;
    out.playouts += earlier_playouts_;
    for (auto known = known_.rbegin(); known != known_.rend(); ++known) {
        auto at =
            std::find_if(out.lines.begin(), out.lines.end(), [&](const auto& l) { return l.move == known->move; });
        search::Line line;
        if (at != out.lines.end()) {
            line = *at;
            out.lines.erase(at);
        }
        line.move = known->move;
        line.win = line.lcb = 0.5 + 0.5 * known->result;
        line.draw = known->result == 0 ? 1 : 0;
        line.is_proved = true;
        line.proof = known->result;
        line.bound = known->is_exact      ? search::Bound::exact
                     : known->result > 0 ? search::Bound::lower
                     : known->result < 0 ? search::Bound::upper
                                         : search::Bound::exact;
        line.score = known->score;
        line.depth = line.seldepth = plies_;
        if (known->is_exact || line.pv.empty()) line.pv = known->pv;
        out.lines.insert(out.lines.begin(), std::move(line));
    }
    if (!known_.empty()) {
        out.win = out.lines.front().win;
        out.draw = out.lines.front().draw;
        out.score = out.lines.front().score;
    }
    if (max_lines && out.lines.size() > static_cast<std::size_t>(max_lines))
        out.lines.resize(static_cast<std::size_t>(max_lines));
    return out;
}

}  // namespace tengen::reversi
