#include "core/go/katago_ladders.hpp"

#include <algorithm>
#include <memory>

#include "core/go/board_frame.hpp"
#include "core/go/tactics.hpp"
#include "core/random.hpp"

namespace tengen::go {
namespace {

constexpr int kMostNodes = 25000;  // of one chain; one that was not read to the end counts as escaped

// Reads one chain. Cut-offs only spare what the search would find.
template <int N>
class Reader {
    using B = Board<N>;
    using Frame = BoardFrame<N>;

public:
    // The chain at p has one liberty and its owner moves.
    bool is_captured(const B& board, int p) {
        const Frame root(board);
        root->clear_ko();
        nodes_ = 0;
        return is_lost_moving(*root, p);
    }

    // The chain at p has two liberties and the attacker plays at one of them.
    bool is_captured_by(const B& board, int p, int move) {
        const int attacker = 3 - board.stone(p);
        if (!may_attack(board, move, attacker)) return false;
        const Frame next(board);
        next->play(move, attacker);
        return next->in_atari(p) && is_captured(*next, p);
    }

private:
    static constexpr int kMostCaptures = 64;

    // The defender, in atari, moves.
    bool is_lost_moving(const B& board, int p) {
        if (board.ko() != B::kNone) return false;
        const int own = board.stone(p), extension = board.atari_liberty(p);
        const int liberties = liberties_if_played(board, extension, own, 3);
        if (liberties >= 3) return false;
        int moves[kMostCaptures + 1];
        int count = captures(board, p, moves);
        if (count == 0 && liberties <= 1 && !board.is_capture(extension, own)) return true;
        if (std::find(moves, moves + count, extension) == moves + count) moves[count++] = extension;
        return std::all_of(moves, moves + count, [&](int move) {
            if (board.is_suicide(move, own)) return true;
            if (++nodes_ > kMostNodes) return false;
            if (Frame::depth() > kMostDepth) return true;
            const Frame next(board);
            next->play(move, own);
            return is_lost_waiting(*next, p);
        });
    }

    // The attacker moves.
    bool is_lost_waiting(const B& board, int p) {
        int moves[3];
        const int liberties = board.liberties(p, moves, 3), attacker = 3 - board.stone(p);
        if (liberties != 2) return liberties < 2;
        if (is_double_ko(board, p, moves)) return true;
        const int count = worth_trying(board, 3 - attacker, moves);
        return std::any_of(moves, moves + count, [&](int move) {
            if (!may_attack(board, move, attacker) || ++nodes_ > kMostNodes) return false;
            const Frame next(board);
            next->play(move, attacker);
            return is_lost_moving(*next, p);
        });
    }

    static bool may_attack(const B& board, int move, int attacker) {
        return move != board.ko() && !board.is_suicide(move, attacker);
    }

    // Distinct points where an enemy chain beside the chain at p can be taken.
    static int captures(const B& board, int p, int* out) {
        const int enemy = 3 - board.stone(p);
        int count = 0, s = p;
        do {
            for (int k = 0; k < 4; ++k) {
                const int q = s + B::kDelta[k];
                if (board.stone(q) != enemy || !board.in_atari(q) || count == kMostCaptures) continue;
                const int at = board.atari_liberty(q);
                if (std::find(out, out + count, at) == out + count) out[count++] = at;
            }
            s = board.next(s);
        } while (s != p);
        return count;
    }

    // Whether the attacker's play at p takes a single stone of those that enclose p: a ko.
    static bool is_ko_mouth(const B& board, int p, int attacker) {
        int taken = 0;
        for (int k = 0; k < 4; ++k) {
            const int q = p + B::kDelta[k], stone = board.stone(q);
            if (stone == kWall) continue;
            if (stone != 3 - attacker) return false;
            if (!board.in_atari(q)) continue;
            if (++taken > 1 || board.chain_stones(q) != 1) return false;
        }
        return taken == 1;
    }

    static bool is_double_ko(const B& board, int p, const int* liberties) {
        const int own = board.stone(p);
        int none[kMostCaptures];
        return std::all_of(liberties, liberties + 2, [&](int q) { return is_ko_mouth(board, q, 3 - own); }) &&
               std::all_of(liberties, liberties + 2,
                           [&](int q) { return liberties_if_played(board, q, own, 3) <= 2; }) &&
               captures(board, p, none) == 0;
    }

    static int room(const B& board, int p) {
        int empty = 0;
        for (int k = 0; k < 4; ++k) empty += board.stone(p + B::kDelta[k]) == kEmpty;
        return empty;
    }

    // Choose those of the two liberties where an attack may work, the better one first; -> how many. At the other one
    // the defender must not find three liberties of its own.
    static int worth_trying(const B& board, int own, int* moves) {
        int rooms[2] = {room(board, moves[0]), room(board, moves[1])};
        const int apart = std::abs(moves[0] - moves[1]);
        if (apart != 1 && apart != B::kStride) {
            if (rooms[0] >= 3 && rooms[1] >= 3) return 0;
            if (rooms[1] >= 3) std::swap(moves[0], moves[1]);
            if (rooms[0] >= 3 || rooms[1] >= 3) return 1;
        }
        for (int i : {0, 1}) rooms[i] = 4 * rooms[i] + liberties_if_played(board, moves[i], own, 4);
        if (rooms[1] > rooms[0]) std::swap(moves[0], moves[1]);
        return 2;
    }

    static constexpr std::size_t kMostDepth = B::kCells * 3 / 2;
    int nodes_ = 0;
};

template <int N>
bool read(const Board<N>& board, int p, KataLadders<N>& ladders) {
    Reader<N> reader;
    if (board.in_atari(p)) return reader.is_captured(board, p);
    int liberties[3];
    if (board.liberties(p, liberties, 3) != 2) return false;
    bool captured = false;
    for (int i : {0, 1})
        if (reader.is_captured_by(board, p, liberties[i])) {
            captured = true;
            ladders.moves[static_cast<std::size_t>(liberties[i])] |= static_cast<std::uint8_t>(board.stone(p));
        }
    return captured;
}

}  // namespace

template <int N>
void katago_ladders(const Board<N>& board, KataLadders<N>& ladders) {
    ladders.captured.fill(0);
    ladders.moves.fill(0);
    for_each_point(board, [&](int p) {
        if (board.stone(p) == kEmpty || board.head(p) != p || !read(board, p, ladders)) return;
        int s = p;
        do {
            ladders.captured[static_cast<std::size_t>(s)] = 1;
            s = board.next(s);
        } while (s != p);
    });
}

template <int N>
const KataLadders<N>& remembered_ladders(const Board<N>& board) {
    struct Kept {
        std::uint64_t key = 0;
        KataLadders<N> ladders;
    };
    constexpr std::size_t kKept = 4096;  // about 1 MB on 9x9, 4 MB on 19x19
    thread_local std::unique_ptr<Kept[]> memory(new Kept[kKept]);
    std::uint64_t seed = board.key() ^ static_cast<std::uint64_t>(board.ko()) << 16 ^
                         static_cast<std::uint64_t>(board.width() << 8 | board.height());
    const std::uint64_t key = splitmix64(seed) | 1;  // 0 is none
    Kept& kept = memory[key / 2 % kKept];
    if (kept.key != key) {
        katago_ladders(board, kept.ladders);
        kept.key = key;
    }
    return kept.ladders;
}

template void katago_ladders<9>(const Board<9>&, KataLadders<9>&);
template void katago_ladders<13>(const Board<13>&, KataLadders<13>&);
template void katago_ladders<19>(const Board<19>&, KataLadders<19>&);
template void katago_ladders<25>(const Board<25>&, KataLadders<25>&);
template const KataLadders<9>& remembered_ladders<9>(const Board<9>&);
template const KataLadders<13>& remembered_ladders<13>(const Board<13>&);
template const KataLadders<19>& remembered_ladders<19>(const Board<19>&);
template const KataLadders<25>& remembered_ladders<25>(const Board<25>&);

}  // namespace tengen::go
