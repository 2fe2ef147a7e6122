#include "core/reversi/endgame.hpp"

#include <algorithm>
#include <cmath>

namespace tengen::reversi {
namespace {

int result_of(int score) { return (score > 0) - (score < 0); }

// What a score within one disc around the draw says.
search::Bound bound_of(int result) {
    return result > 0 ? search::Bound::lower : result < 0 ? search::Bound::upper : search::Bound::exact;
}

}  // namespace

int EndgameStage::table_bits(double memory_mb) {
    int bits = 12;
    while (bits < 20 && Solver::table_mb(bits + 1) <= memory_mb) ++bits;
    return bits;
}

// From midgame positions with 12 to 20 empty cells.
double EndgameStage::expected_work(const State& root, const search::RootFacts& facts, const EndgameSettings& settings) {
    const int empties = count(root.empty());
    if (root.is_terminal() || facts.komi_shift != 0 || empties > settings.root_empties) return 0;
    return 3e4 * std::pow(2.1, empties - 12);
}

void EndgameStage::ask(const State& root, const search::Question& question) {
    solver_.start([&] { return question.is_over(static_cast<double>(solver_.nodes())); });
    answer(root, question);
    solver_.start(nullptr);  // the question ends here
}

void EndgameStage::answer(const State& root, const search::Question& question) {
    const Best winner = best_of(root, question.moves, -1, 1);
    if (winner.move < 0) return;
    const int result = result_of(winner.score);
    question.tell({winner.move, result, static_cast<double>(winner.score), bound_of(result), count(root.empty()), {}});
    std::vector<int> order = question.moves;
    const auto at = std::find(order.begin(), order.end(), winner.move);
    std::rotate(order.begin(), at, at + 1);
    const int alpha = result > 0 ? 0 : Solver::kWorst, beta = result < 0 ? 0 : Solver::kBest;
    const Best best = result == 0 ? winner : best_of(root, order, alpha, beta);
    if (best.move < 0) return;
    question.tell(exact(root, best.move, best.score));
    if (!question.best_alone) tell_others(root, order, best, question);
}

void EndgameStage::tell_others(const State& root, const std::vector<int>& order, Best best,
                               const search::Question& question) {
    const std::uint64_t spent = solver_.nodes();
    for (const int move : order) {
        if (solver_.is_interrupted() || solver_.nodes() > 3 * spent + 100000) return;
        if (move == best.move) continue;
        const int score = score_after(root, move, Solver::kWorst, best.score + 1);
        if (solver_.is_interrupted()) return;
        question.tell(exact(root, move, score));
    }
}

int EndgameStage::score_after(const State& root, int move, int alpha, int beta) {
    State next = root;
    next.play(move);
    return -solver_.solve(next.own(), next.enemy(), -beta, -alpha);
}

EndgameStage::Best EndgameStage::best_of(const State& root, const std::vector<int>& order, int alpha, int beta) {
    Best best{-1, Solver::kWorst - 1};
    int low = alpha;
    for (const int move : order) {
        int score = best.move < 0 ? score_after(root, move, low, beta) : score_after(root, move, low, low + 1);
        if (best.move >= 0 && score > low && score < beta) score = score_after(root, move, score - 1, beta);
        if (solver_.is_interrupted()) return {-1, 0};
        if (score > best.score) best = {move, score};
        low = std::max(low, score);
        if (low >= beta) break;
    }
    return best;
}

search::Found EndgameStage::exact(const State& root, int move, int score) {
    return {move,
            result_of(score),
            static_cast<double>(score),
            search::Bound::exact,
            count(root.empty()),
            best_line(root, move, score)};
}

std::vector<int> EndgameStage::best_line(State state, int move, int score) {
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

}  // namespace tengen::reversi
