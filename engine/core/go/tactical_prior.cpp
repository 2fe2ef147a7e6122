// Priors of the tactical evaluator: what a move is worth before it was tried.
#include "core/go/pattern3.hpp"
#include "core/go/tactical.hpp"
#include "core/go/tactics.hpp"

#include <algorithm>
#include <cstdlib>

namespace tengen::go {
namespace {

// Distance from the last move over the board where stones of one chain are one point (common fate graph).
template <int N>
void common_fate_distance(const Board<N>& board, int from, int most,
                          std::array<std::uint8_t, Board<N>::kPoints>& distance) {
    using B = Board<N>;
    distance.fill(255);
    std::array<int, B::kPoints> queue;
    int head = 0, tail = 0;
    const auto reach = [&](int p, int d) {
        if (distance[p] != 255) return;
        const int start = board.head(p);
        if (!start) {
            distance[p] = static_cast<std::uint8_t>(d);
            queue[tail++] = p;
            return;
        }
        for (int at = start;;) {
            distance[at] = static_cast<std::uint8_t>(d);
            queue[tail++] = at;
            at = board.next(at);
            if (at == start) break;
        }
    };
    reach(from, 0);
    while (head < tail) {
        const int p = queue[head++], d = distance[p];
        if (d == most) continue;
        for (int i = 0; i < 4; ++i) {
            const int q = p + B::kDelta[i];
            if (board.stone(q) != kWall) reach(q, d + 1);
        }
    }
}

// Whether no stone stands within Manhattan distance 3.
template <int N>
bool is_empty_area(const Board<N>& board, int p) {
    const int row = Board<N>::row(p), column = Board<N>::column(p);
    for (int dr = -3; dr <= 3; ++dr)
        for (int dc = -3; dc <= 3; ++dc) {
            const int r = row + dr, c = column + dc;
            if (std::abs(dr) + std::abs(dc) > 3 || r < 0 || c < 0 || r >= board.height() || c >= board.width())
                continue;
            const int s = board.stone(Board<N>::point(r, c));
            if (s == kBlack || s == kWhite) return false;
        }
    return true;
}

// 0 on the edge.
template <int N>
int line_height(const Board<N>& board, int p) {
    const int row = Board<N>::row(p), column = Board<N>::column(p);
    return std::min(std::min(row, board.height() - 1 - row), std::min(column, board.width() - 1 - column));
}

// Stones saved or captured by the move at p: neighbours in atari of either colour.
template <int N>
int stones_at_stake(const Board<N>& board, int p, int stone) {
    int most = 0;
    const bool escapes = liberties_if_played(board, p, stone, 3) >= 2;
    for (int i = 0; i < 4; ++i) {
        const int q = p + Board<N>::kDelta[i], s = board.stone(q);
        if (s == kEmpty || s == kWall || !board.in_atari(q)) continue;
        if (s != stone || escapes) most = std::max(most, board.chain_stones(q));
    }
    return most;
}

}  // namespace

template <int N>
void TacticalEvaluator<N>::priors(const State<N>& state, std::span<const int> moves, Prior* out) const {
    const BoardType& board = state.board();
    const int stone = state.stone_to_move(), last = state.last_move();
    std::array<std::uint8_t, BoardType::kPoints> distance;
    if (last != State<N>::kPass) common_fate_distance(board, last, 3, distance);
    const auto good = [](Prior& prior, double weight) {
        prior.wins += static_cast<float>(weight);
        prior.visits += static_cast<float>(weight);
    };
    const auto bad = [](Prior& prior, double weight) { prior.visits += static_cast<float>(weight); };
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const int p = moves[i];
        Prior& prior = out[i];
        prior = {static_cast<float>(settings_.prior_even / 2), static_cast<float>(settings_.prior_even)};
        if (p == State<N>::kPass) {
            bad(prior, settings_.prior_pass);
            continue;
        }
        if (const int stake = stones_at_stake(board, p, stone))
            good(prior, stake > 1 ? settings_.prior_capture_many : settings_.prior_capture);
        if (kPattern3.matches(board.neighbourhood(p), stone)) good(prior, settings_.prior_pattern);
        if (puts_itself_in_atari(board, p, stone)) bad(prior, settings_.prior_self_atari);
        if (last != State<N>::kPass && distance[p] <= 3) {
            constexpr double share[4] = {1.0, 1.0, 0.9, 0.35};
            good(prior, settings_.prior_near * share[distance[p]]);
        }
        const int height = line_height(board, p);
        if (height <= 2 && height != 1 && is_empty_area(board, p)) {
            if (height == 0)
                bad(prior, settings_.prior_edge);
            else
                good(prior, settings_.prior_edge);
        }
    }
}

template void TacticalEvaluator<9>::priors(const State<9>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<13>::priors(const State<13>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<19>::priors(const State<19>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<25>::priors(const State<25>&, std::span<const int>, Prior*) const;

}  // namespace tengen::go
