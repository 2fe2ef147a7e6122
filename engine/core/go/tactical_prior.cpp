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

constexpr int kNear = 3;     // Manhattan distance of an empty area, and of the stones that make a fight
constexpr int kFar = 4;      // the same for the first two lines later on: a monkey jump is as far from its stone
constexpr int kOpening = 5;  // the opening lasts until one in so many points is taken
constexpr int kCorner = 6;   // side of the square that is a corner
constexpr int kRoomy = 13;   // boards of this side have four corners to share out; on smaller ones all is close

// The colours that stand within this Manhattan distance: 0 none, kBlack, kWhite, or both bits.
template <int N>
int colours_near(const Board<N>& board, int p, int most) {
    const int row = Board<N>::row(p), column = Board<N>::column(p);
    int found = 0;
    for (int dr = -most; dr <= most; ++dr)
        for (int dc = -most + std::abs(dr); dc <= most - std::abs(dr); ++dc) {
            const int r = row + dr, c = column + dc;
            if (r < 0 || c < 0 || r >= board.height() || c >= board.width()) continue;
            const int s = board.stone(Board<N>::point(r, c));
            if (s == kBlack || s == kWhite) found |= s;
            if (found == (kBlack | kWhite)) return found;
        }
    return found;
}

// 0 on the edge.
template <int N>
int line_height(const Board<N>& board, int p) {
    const int row = Board<N>::row(p), column = Board<N>::column(p);
    return std::min(std::min(row, board.height() - 1 - row), std::min(column, board.width() - 1 - column));
}

// The corners that hold no stone: bit 0 top left, 1 top right, 2 and 3 below. None on boards that are not roomy.
template <int N>
unsigned empty_corners(const Board<N>& board) {
    const int height = board.height(), width = board.width();
    if (std::min(height, width) < kRoomy) return 0;
    unsigned found = 0;
    for (unsigned corner = 0; corner < 4; ++corner) {
        const int top = corner & 2 ? height - kCorner : 0, left = corner & 1 ? width - kCorner : 0;
        bool is_empty = true;
        for (int i = 0; i < kCorner * kCorner && is_empty; ++i) {
            const int s = board.stone(Board<N>::point(top + i / kCorner, left + i % kCorner));
            is_empty = s != kBlack && s != kWhite;
        }
        found |= static_cast<unsigned>(is_empty) << corner;
    }
    return found;
}

// Whether p is one of the four points (third and fourth line) that open one of these corners.
template <int N>
bool opens_corner(const Board<N>& board, int p, unsigned corners) {
    const int row = Board<N>::row(p), column = Board<N>::column(p);
    const bool is_low = 2 * row > board.height(), is_right = 2 * column > board.width();
    const int down = is_low ? board.height() - 1 - row : row, in = is_right ? board.width() - 1 - column : column;
    return (down == 2 || down == 3) && (in == 2 || in == 3) && corners >> (2 * is_low + is_right) & 1;
}

// Whether p, on the first two lines, is played too early: no stone stands far and wide, or in the opening no fight
// between both colours is near. (A design that kept the open centre empty as well scored 47.5 % of 80 games.)
template <int N>
bool is_premature(const Board<N>& board, int p, bool is_opening) {
    return is_opening ? colours_near(board, p, kNear) != (kBlack | kWhite) : !colours_near(board, p, kFar);
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
    const unsigned corners = empty_corners(board);
    const bool is_opening = kOpening * (board.cells() - board.empty_count()) < board.cells();
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
        if (height <= 2 && height != 1 && !colours_near(board, p, kNear)) {
            if (height == 0)
                bad(prior, settings_.prior_edge);
            else
                good(prior, settings_.prior_edge);
        }
        if (height <= 1 && is_premature(board, p, is_opening))
            bad(prior, height == 0 ? settings_.prior_open : settings_.prior_open / 2);
        if (corners && opens_corner(board, p, corners)) good(prior, settings_.prior_corner);
    }
}

template void TacticalEvaluator<9>::priors(const State<9>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<13>::priors(const State<13>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<19>::priors(const State<19>&, std::span<const int>, Prior*) const;
template void TacticalEvaluator<25>::priors(const State<25>&, std::span<const int>, Prior*) const;

}  // namespace tengen::go
