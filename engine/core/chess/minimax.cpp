#include "core/chess/minimax.hpp"

#include <algorithm>
#include <array>

#include "core/chess/moves.hpp"
#include "core/chess/state.hpp"

namespace tengen::chess::minimax {

namespace {

constexpr std::array<int, kKinds> kValues{10, 500, 500, 900, 5000, 50000};
constexpr int kRanks = 400;
constexpr int kFifty = 100;  // plies
constexpr long long kAskEvery = 512;

int worth(const Board& board, int colour) {
    int total = kRanks;
    for (int kind = 0; kind < kKinds; ++kind)
        total += kValues[static_cast<std::size_t>(kind)] * count(board.of(colour, kind));
    for (int number = 0; number < kSide; ++number)
        total -= (colour == kWhite ? kSide - 1 - number : number) * count(board.of(colour) & rank(number));
    return total;
}

struct Stopped {};

class Looking {
public:
    Looking(const std::function<bool()>& is_stopped) : is_stopped_(is_stopped) {}

    long long nodes() const { return nodes_; }

    // What a position is worth to the side to move; writes the line that leads there.
    int value(const Board& board, int depth, int ply, int alpha, int beta, std::vector<int>& line) {
        line.clear();
        if (++nodes_ % kAskEvery == 0 && is_stopped_()) throw Stopped();
        std::array<int, kMostMoves> moves;
        const int size = legal_moves(board, moves.data());
        if (!size) return board.checkers() ? ply - kMate : 0;
        if (is_dead(board) || board.halfmove() >= kFifty) return 0;
        if (depth == 0) return evaluate(board);
        std::sort(moves.begin(), moves.begin() + size);
        std::vector<int> behind;
        int best = -kMate;
        for (int i = 0; i < size && best < beta; ++i) {
            Board next = board;
            next.play(moves[static_cast<std::size_t>(i)]);
            const int found = -value(next, depth - 1, ply + 1, -beta, -std::max(alpha, best), behind);
            if (found <= best) continue;
            best = found;
            line.assign(1, moves[static_cast<std::size_t>(i)]);
            line.insert(line.end(), behind.begin(), behind.end());
        }
        return best;
    }

private:
    const std::function<bool()>& is_stopped_;
    long long nodes_ = 0;
};

}  // namespace

int evaluate(const Board& board) { return worth(board, board.to_move()) - worth(board, board.to_move() ^ 1); }

std::optional<Answer> search(const Board& board, int depth, std::span<const int> moves,
                             const std::function<bool()>& is_stopped) {
    Answer out;
    Looking looking(is_stopped);
    try {
        for (const int move : moves) {
            Board next = board;
            next.play(move);
            std::vector<int> behind;
            const int score = -looking.value(next, depth - 1, 1, -kMate, kMate, behind);
            behind.insert(behind.begin(), move);
            out.moves.push_back({move, score, std::move(behind)});
        }
    } catch (const Stopped&) {
        return std::nullopt;
    }
    out.nodes = looking.nodes();
    return out;
}

}  // namespace tengen::chess::minimax
