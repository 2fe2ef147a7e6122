#include "core/chess/move_facts.hpp"

#include <algorithm>
#include <cstddef>

#include "core/chess/static_exchange.hpp"

namespace tengen::chess::facts {
namespace {

constexpr int kEqual = 30;  // centipawns of an exchange that count as nothing
constexpr int kWorth[kKinds] = {1, 3, 3, 5, 9, 100};

Bits attacks_from(const Board& board, Square square) {
    const Piece piece = board.at(square);
    switch (kind_of(piece)) {
        case kPawn: return pawn_attacks(colour_of(piece) == kWhite, bit(square));
        case kKnight: return knight_attacks(square);
        case kBishop: return bishop_attacks(square, board.all());
        case kRook: return rook_attacks(square, board.all());
        case kQueen: return bishop_attacks(square, board.all()) | rook_attacks(square, board.all());
        default: return king_attacks(square);
    }
}
Bits attacks_of(const Board& board, Bits pieces) {
    Bits out = 0;
    while (pieces) out |= attacks_from(board, take_lowest(pieces));
    return out;
}

// An exchange by its size: nothing, a pawn, a piece, a rook, more.
int size_of(int centipawns) {
    return centipawns < kEqual ? 0 : centipawns <= 200 ? 1 : centipawns <= 450 ? 2 : centipawns <= 700 ? 3 : 4;
}
int step_of(int centipawns) {
    if (centipawns > kEqual) return std::min(3 + size_of(centipawns), 7);
    return centipawns < -350 ? 0 : centipawns < -150 ? 1 : centipawns < -kEqual ? 2 : 3;
}

// The best that the side to move can take, but on one square.
int best_exchange(const Board& board, Square but) {
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data(), Wanted::tactical);
    int best = 0;
    for (const int move : std::span(moves).first(static_cast<std::size_t>(size)))
        if (to_of(move) != but) best = std::max(best, see(board, move));
    return best;
}

int taken_by(const Board& board, int move) {
    if (board.is_castling(move)) return kKinds;
    if (board.is_en_passant(move)) return kPawn;
    const Piece there = board.at(to_of(move));
    return there == kNone ? static_cast<int>(kKinds) : kind_of(there);
}

// after: the enemy is to move; to: where the piece stands.
int attacked_anew(const Board& after, Square to) {
    const int enemy = after.to_move(), own = kWorth[kind_of(after.at(to))];
    int best = 0;
    for (Bits rest = attacks_from(after, to) & after.of(enemy) & ~after.kind(kKing); rest;) {
        const Square square = take_lowest(rest);
        const int worth = kWorth[kind_of(after.at(square))];
        if (worth > own)
            best = std::max(best, worth >= kWorth[kRook] ? 3 : 2);
        else if (!after.attackers(square, enemy, after.all()))
            best = std::max(best, worth > kWorth[kPawn] ? 2 : 1);
    }
    return best;
}

int left_by(const Board& after, Square to, bool is_check) {
    if (!count_legal_moves(after)) return is_check ? 5 : 6;
    return size_of(best_exchange(after, to));
}

int threat_of(const Board& after, bool is_check) {
    if (is_check) return 0;
    Board next = after;
    next.play_null();
    return std::min(size_of(best_exchange(next, kNoSquare)), 3);
}

}  // namespace

Teller::Teller(const Board& board, int last) : board_(board), us_(board.to_move()), them_(us_ ^ 1) {
    by_pawns_ = pawn_attacks(them_ == kWhite, board.of(them_, kPawn));
    by_lesser_ = attacks_of(board, board.of(them_, kKnight) | board.of(them_, kBishop));
    by_rooks_ = attacks_of(board, board.of(them_, kRook));
    attacked_ =
        by_pawns_ | by_lesser_ | by_rooks_ | attacks_of(board, board.of(them_, kQueen) | board.of(them_, kKing));
    if (last >= 0 && board.at(to_of(last)) != kNone) by_last_ = attacks_from(board, to_of(last));
}

int Teller::threatened(Square from, int kind) const {
    const Bits here = bit(from);
    if (!(attacked_ & here)) return 0;
    const bool by_less = ((by_pawns_ & here) && kind > kPawn) || ((by_lesser_ & here) && kind >= kRook) ||
                         ((by_rooks_ & here) && kind == kQueen);
    if (by_less) return 3;
    return board_.attackers(from, us_, board_.all()) ? 1 : 2;
}

int Teller::received(Square to) const {
    const Bits here = bit(to);
    return by_pawns_ & here ? 3 : by_lesser_ & here ? 2 : attacked_ & here ? 1 : 0;
}

int Teller::number(int move) const {
    const Square from = from_of(move), to = to_of(move);
    const bool castles = board_.is_castling(move);
    const int kind = kind_of(board_.at(from));
    Board after = board_;
    after.play(move);
    const bool is_check = after.checkers();
    const int supported = std::min(count(board_.attackers(to, us_, board_.all()) & ~bit(from)), 2);
    const std::array digits = {
        kind,
        taken_by(board_, move),
        step_of(see(board_, move)),
        threatened(from, kind),
        static_cast<int>(is_check),
        castles ? 0 : attacked_anew(after, to),
        received(to),
        supported,
        left_by(after, to, is_check),
        threat_of(after, is_check),
        static_cast<int>((by_last_ & bit(from)) != 0),
    };
    static_assert(digits.size() == kFacts.size());
    int out = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) out = out * kFacts[i] + digits[i];
    return out + 1;
}

}  // namespace tengen::chess::facts
