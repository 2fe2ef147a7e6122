// Legal moves. Pins and checks are found once for a position; what is then written down needs no test (but en passant).
//
// A sink takes the moves in sets: `piece(from, targets)`, `pawns(targets, step)` and `promotions(targets, step)` of pawns
// that stood at target - step, `one(move)`.
#pragma once

#include <array>
#include <cstddef>

#include "core/chess/board.hpp"

namespace tengen::chess {

// Tactical: captures and promotions to queens.
enum class Wanted { all, tactical };

// Checks and pins against the side to move. A piece on a pin mask is pinned: it may move along it only.
struct Pins {
    Bits checkers = 0;
    Bits check_mask = ~0ULL;          // where other pieces than the king may go: they end the check
    Bits straight = 0, diagonal = 0;  // pin masks: lines from the king to pinning pieces, these included
};

template <int kUs>
Pins pins_of(const Board& board) {
    constexpr int kThem = kUs ^ 1;
    const Square king = board.king(kUs);
    Pins out;
    out.checkers = (pawn_attacks<kUs == kWhite>(bit(king)) & board.of(kThem, kPawn)) |
                   (knight_attacks(king) & board.of(kThem, kKnight));
    const Bits theirs = board.of(kThem), ours = board.of(kUs);
    const auto look = [&](Bits sliders, Bits& pinned) {
        while (sliders) {
            const Square from = take_lowest(sliders);
            const Bits line = up_to(king, from);
            const Bits between = line & ours;
            if (!between)
                out.checkers |= bit(from);
            else if (!(between & (between - 1)))
                pinned |= line;
        }
    };
    look(rook_attacks(king, theirs) & (board.kind(kRook) | board.kind(kQueen)) & theirs, out.straight);
    look(bishop_attacks(king, theirs) & (board.kind(kBishop) | board.kind(kQueen)) & theirs, out.diagonal);
    if (out.checkers) out.check_mask = up_to(king, lowest(out.checkers));
    return out;
}

// The squares that the king of the side to move may not step on.
template <int kUs>
Bits attacked_by_enemy(const Board& board) {
    constexpr int kThem = kUs ^ 1;
    const Bits occupied = board.all() ^ board.of(kUs, kKing);
    Bits out = pawn_attacks<kThem == kWhite>(board.of(kThem, kPawn)) | king_attacks(board.king(kThem));
    for (Bits rest = board.of(kThem, kKnight); rest;) out |= knight_attacks(take_lowest(rest));
    for (Bits rest = board.of(kThem) & (board.kind(kBishop) | board.kind(kQueen)); rest;)
        out |= bishop_attacks(take_lowest(rest), occupied);
    for (Bits rest = board.of(kThem) & (board.kind(kRook) | board.kind(kQueen)); rest;)
        out |= rook_attacks(take_lowest(rest), occupied);
    return out;
}

template <int kUs, class Sink>
void pawn_moves(const Board& board, const Pins& pins, Bits allowed, Wanted wanted, Sink& sink) {
    constexpr bool kUp = kUs == kWhite;
    constexpr int kAhead = kUp ? 8 : -8, kWest = kAhead - 1, kEast = kAhead + 1;
    constexpr Bits kLast = kUp ? kRank8 : kRank1, kThird = rank(kUp ? 2 : 5);
    const Bits pawns = board.of(kUs, kPawn), enemy = board.of(kUs ^ 1), empty = ~board.all();
    const auto tell = [&](Bits targets, int step) {
        if (targets & ~kLast) sink.pawns(targets & ~kLast, step);
        if (targets & kLast) sink.promotions(targets & kLast, step);
    };
    const Bits free_ahead = pawns & ~pins.diagonal;
    Bits ahead =
        (forward<kUp>(free_ahead & ~pins.straight) | (forward<kUp>(free_ahead & pins.straight) & pins.straight)) &
        empty;
    if (wanted == Wanted::all) {
        if (const Bits twice = forward<kUp>(ahead & kThird) & empty & allowed) sink.pawns(twice, 2 * kAhead);
    } else {
        ahead &= kLast;
    }
    tell(ahead & allowed, kAhead);
    const Bits can_take = pawns & ~pins.straight;
    const auto take = [&](auto side, int step) {
        const Bits targets = side(forward<kUp>(can_take & ~pins.diagonal)) |
                             (side(forward<kUp>(can_take & pins.diagonal)) & pins.diagonal);
        tell(targets & enemy & allowed, step);
    };
    take([](Bits bits) { return west(bits); }, kWest);
    take([](Bits bits) { return east(bits); }, kEast);
    if (const Square to = board.en_passant(); to != kNoSquare) {
        const Square king = board.king(kUs), taken = to - kAhead;
        for (Bits takers = pawn_attacks<!kUp>(bit(to)) & pawns; takers;) {
            const Square from = take_lowest(takers);
            const Bits occupied = (board.all() ^ bit(from) ^ bit(taken)) | bit(to);
            if (!(board.attackers(king, kUs ^ 1, occupied) & ~bit(taken))) sink.one(move_of(from, to));
        }
    }
}

template <int kUs, class Sink>
void castling_moves(const Board& board, const Pins& pins, Bits attacked, Sink& sink) {
    const Square king = board.king(kUs);
    for (const bool king_side : {true, false}) {
        const Square rook = board.castling(kUs, king_side);
        if (rook == kNoSquare || (pins.straight & bit(rook))) continue;
        const Square king_to = Board::king_to(king, rook), rook_to = Board::rook_to(king, rook);
        const Bits path = up_to(king, king_to) | bit(king_to);
        const Bits others = board.all() ^ bit(king) ^ bit(rook);
        if (!((path | up_to(rook, rook_to)) & others) && !(path & attacked)) sink.one(move_of(king, rook));
    }
}

template <int kUs, class Sink>
void generate(const Board& board, Wanted wanted, Sink& sink) {
    const Pins pins = pins_of<kUs>(board);
    const Square king = board.king(kUs);
    const Bits attacked = attacked_by_enemy<kUs>(board);
    const Bits targets = wanted == Wanted::all ? ~board.of(kUs) : board.of(kUs ^ 1);
    sink.piece(king, king_attacks(king) & targets & ~attacked);
    if (pins.checkers & (pins.checkers - 1)) return;
    const Bits allowed = pins.check_mask, may = targets & allowed, occupied = board.all();
    pawn_moves<kUs>(board, pins, allowed, wanted, sink);
    const Bits pinned = pins.straight | pins.diagonal;
    for (Bits rest = board.of(kUs, kKnight) & ~pinned; rest;) {
        const Square from = take_lowest(rest);
        sink.piece(from, knight_attacks(from) & may);
    }
    const Bits diagonal = board.of(kUs) & (board.kind(kBishop) | board.kind(kQueen)) & ~pins.straight;
    for (Bits rest = diagonal & ~pins.diagonal; rest;) {
        const Square from = take_lowest(rest);
        sink.piece(from, bishop_attacks(from, occupied) & may);
    }
    for (Bits rest = diagonal & pins.diagonal; rest;) {
        const Square from = take_lowest(rest);
        sink.piece(from, bishop_attacks(from, occupied) & may & pins.diagonal);
    }
    const Bits straight = board.of(kUs) & (board.kind(kRook) | board.kind(kQueen)) & ~pins.diagonal;
    for (Bits rest = straight & ~pins.straight; rest;) {
        const Square from = take_lowest(rest);
        sink.piece(from, rook_attacks(from, occupied) & may);
    }
    for (Bits rest = straight & pins.straight; rest;) {
        const Square from = take_lowest(rest);
        sink.piece(from, rook_attacks(from, occupied) & may & pins.straight);
    }
    if (wanted == Wanted::all && !pins.checkers) castling_moves<kUs>(board, pins, attacked, sink);
}

// Writes moves down; promotions other than to queens only where all are wanted.
class Written {
public:
    Written(int* out, Wanted wanted) : out_(out), begin_(out), least_(wanted == Wanted::all ? kKnight : kQueen) {}
    int size() const { return static_cast<int>(out_ - begin_); }
    void one(int move) { *out_++ = move; }
    void piece(Square from, Bits targets) {
        while (targets) *out_++ = move_of(from, take_lowest(targets));
    }
    void pawns(Bits targets, int step) {
        while (targets) {
            const Square to = take_lowest(targets);
            *out_++ = move_of(to - step, to);
        }
    }
    void promotions(Bits targets, int step) {
        while (targets) {
            const Square to = take_lowest(targets);
            for (int kind = kQueen; kind >= least_; --kind) *out_++ = move_of(to - step, to, kind);
        }
    }

private:
    int *out_, *begin_;
    int least_;
};

class Counted {
public:
    std::uint64_t size() const { return size_; }
    void one(int) { ++size_; }
    void piece(Square, Bits targets) { size_ += static_cast<unsigned>(count(targets)); }
    void pawns(Bits targets, int) { size_ += static_cast<unsigned>(count(targets)); }
    void promotions(Bits targets, int) { size_ += 4 * static_cast<unsigned>(count(targets)); }

private:
    std::uint64_t size_ = 0;
};

// out: of kMostMoves.
inline int legal_moves(const Board& board, int* out, Wanted wanted = Wanted::all) {
    Written written(out, wanted);
    if (board.to_move() == kWhite)
        generate<kWhite>(board, wanted, written);
    else
        generate<kBlack>(board, wanted, written);
    return written.size();
}
inline std::uint64_t count_legal_moves(const Board& board) {
    Counted counted;
    if (board.to_move() == kWhite)
        generate<kWhite>(board, Wanted::all, counted);
    else
        generate<kBlack>(board, Wanted::all, counted);
    return counted.size();
}
// One move, of which nothing is known.
bool is_legal(const Board& board, int move);

}  // namespace tengen::chess
