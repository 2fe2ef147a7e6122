#include "core/chess/static_exchange.hpp"

#include <algorithm>
#include <array>

namespace tengen::chess {
namespace {

int value_of(const ExchangeValues& values, int kind) { return values[static_cast<std::size_t>(kind)]; }

int first_gain(const Board& board, int move, const ExchangeValues& values) {
    if (board.is_castling(move)) return 0;
    int gain = 0;
    if (const Piece there = board.at(to_of(move)); there != kNone)
        gain = value_of(values, kind_of(there));
    else if (board.is_en_passant(move))
        gain = value_of(values, kPawn);
    if (const int promotion = promotion_of(move)) gain += value_of(values, promotion) - value_of(values, kPawn);
    return gain;
}

// The exchange from the second move on: pieces that take in turn, pinned ones not told apart.
class Takers {
public:
    Takers(const Board& board, int move) : board_(board), to_(to_of(move)) {
        occupied_ = (board.all() ^ bit(from_of(move))) | bit(to_);
        if (board.is_en_passant(move)) occupied_ ^= bit(to_ + (board.to_move() == kWhite ? -8 : 8));
        attackers_ = (board.attackers(to_, kWhite, occupied_) | board.attackers(to_, kBlack, occupied_)) & occupied_;
    }
    // The kind of the least piece of a colour, which is taken off; -1: there is none, or its king may not.
    int next(int colour) {
        const Bits own = attackers_ & board_.of(colour);
        for (int kind = kPawn; own && kind < kKinds; ++kind) {
            const Bits those = own & board_.kind(kind);
            if (!those) continue;
            if (kind == kKing && (attackers_ & board_.of(colour ^ 1))) return -1;
            occupied_ ^= bit(lowest(those));
            if (kind == kPawn || kind == kBishop || kind == kQueen)
                attackers_ |= bishop_attacks(to_, occupied_) & (board_.kind(kBishop) | board_.kind(kQueen));
            if (kind == kRook || kind == kQueen)
                attackers_ |= rook_attacks(to_, occupied_) & (board_.kind(kRook) | board_.kind(kQueen));
            attackers_ &= occupied_;
            return kind;
        }
        return -1;
    }

private:
    const Board& board_;
    Square to_;
    Bits occupied_, attackers_;
};

int standing_kind(const Board& board, int move) {
    return promotion_of(move) ? promotion_of(move) : kind_of(board.at(from_of(move)));
}

}  // namespace

int see(const Board& board, int move) {
    if (board.is_castling(move)) return 0;
    std::array<int, 33> gains;
    std::size_t size = 0;
    gains[size++] = first_gain(board, move, kExchangeValues);
    Takers takers(board, move);
    int colour = board.to_move() ^ 1, standing = standing_kind(board, move);
    while (size < gains.size()) {
        const int kind = takers.next(colour);
        if (kind < 0) break;
        gains[size] = value_of(kExchangeValues, standing) - gains[size - 1];
        ++size;
        standing = kind;
        colour ^= 1;
    }
    while (--size) gains[size - 1] = -std::max(-gains[size - 1], gains[size]);
    return gains[0];
}

bool see_ge(const Board& board, int move, int threshold, const ExchangeValues& values) {
    if (board.is_castling(move)) return threshold <= 0;
    int balance = first_gain(board, move, values) - threshold;  // of who has just moved
    if (balance < 0) return false;
    balance -= value_of(values, standing_kind(board, move));
    if (balance >= 0) return true;
    Takers takers(board, move);
    const int us = board.to_move();
    int colour = us ^ 1;
    while (true) {
        const int kind = takers.next(colour);
        if (kind < 0) break;
        colour ^= 1;
        balance = -balance - 1 - value_of(values, kind);
        if (balance >= 0) break;
    }
    return colour != us;  // who cannot go on, or need not answer, has lost the exchange
}

}  // namespace tengen::chess
