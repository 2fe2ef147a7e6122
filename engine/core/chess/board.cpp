#include "core/chess/board.hpp"

#include <algorithm>

namespace tengen::chess {

Board::Board() : Board(Nothing{}) {
    constexpr int kBack[8] = {kRook, kKnight, kBishop, kQueen, kKing, kBishop, kKnight, kRook};
    for (Square file = 0; file < 8; ++file) {
        put(piece_of(kWhite, kBack[file]), file);
        put(piece_of(kWhite, kPawn), file + 8);
        put(piece_of(kBlack, kPawn), file + 48);
        put(piece_of(kBlack, kBack[file]), file + 56);
    }
    finish(kWhite, {7, 0, 63, 56}, kNoSquare, 0, 1);
}

Board Board::empty(bool is_chess960) {
    Board out{Nothing{}};
    out.is_chess960_ = is_chess960;
    return out;
}

void Board::put(Piece piece, Square square) {
    kinds_[static_cast<std::size_t>(kind_of(piece))] |= bit(square);
    colours_[static_cast<std::size_t>(colour_of(piece))] |= bit(square);
    at_[static_cast<std::size_t>(square)] = piece;
    key_ ^= kZobrist.piece(piece, square);
}

void Board::remove(Piece piece, Square square) {
    kinds_[static_cast<std::size_t>(kind_of(piece))] ^= bit(square);
    colours_[static_cast<std::size_t>(colour_of(piece))] ^= bit(square);
    at_[static_cast<std::size_t>(square)] = kNone;
    key_ ^= kZobrist.piece(piece, square);
}

void Board::drop_castling(int right) {
    auto& rook = castling_[static_cast<std::size_t>(right)];
    if (rook == kNoSquare) return;
    key_ ^= kZobrist.castling[static_cast<std::size_t>(rook)];
    rook = kNoSquare;
}

void Board::set_en_passant(Square square) {
    if (en_passant_ != kNoSquare) key_ ^= kZobrist.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
    en_passant_ = static_cast<std::int8_t>(square);
    if (square != kNoSquare) key_ ^= kZobrist.en_passant[static_cast<std::size_t>(file_of(square))];
}

// Whether a pawn of the side to move may legally capture there the pawn that has just passed it.
bool Board::may_capture_en_passant(Square square) const {
    const Square passed = square + (to_move_ == kWhite ? -8 : 8);
    Bits pawns = pawn_attacks(to_move_ != kWhite, bit(square)) & of(to_move_, kPawn);
    const Square own_king = king(to_move_);
    while (pawns) {
        const Bits occupied = (all() ^ bit(take_lowest(pawns)) ^ bit(passed)) | bit(square);
        if (!(attackers(own_king, to_move_ ^ 1, occupied) & ~bit(passed))) return true;
    }
    return false;
}

void Board::finish(int to_move, const std::array<int, 4>& castling, Square en_passant, int halfmove, int fullmove) {
    for (int right = 0; right < 4; ++right) drop_castling(right);
    set_to_move(to_move);
    for (int right = 0; right < 4; ++right) {
        const int colour = right / 2, rook = castling[static_cast<std::size_t>(right)];
        const Bits home = rank(colour == kWhite ? 0 : 7);
        if (rook < 0 || rook >= kSquares || !(home & bit(rook) & of(colour, kRook))) continue;
        if (!(home & of(colour, kKing)) || (rook > king(colour)) != (right % 2 == 0)) continue;
        castling_[static_cast<std::size_t>(right)] = static_cast<std::int8_t>(rook);
        key_ ^= kZobrist.castling[static_cast<std::size_t>(rook)];
    }
    if (en_passant >= 0 && en_passant < kSquares && rank_of(en_passant) == (to_move == kWhite ? 5 : 2)) {
        const int step = to_move == kWhite ? -8 : 8;
        const bool was_played = at(en_passant + step) == piece_of(to_move ^ 1, kPawn) && at(en_passant) == kNone &&
                                at(en_passant - step) == kNone;
        if (was_played && may_capture_en_passant(en_passant)) set_en_passant(en_passant);
    }
    halfmove_ = static_cast<std::int16_t>(std::clamp(halfmove, 0, 10000));
    fullmove_ = static_cast<std::int16_t>(std::clamp(fullmove, 1, 30000));
}

void Board::set_to_move(int colour) {
    set_en_passant(kNoSquare);
    if (to_move_ != colour) key_ ^= kZobrist.black_to_move;
    to_move_ = static_cast<std::int8_t>(colour);
}

std::uint64_t Board::pieces_key() const {
    std::uint64_t key = 0;
    for (Bits rest = all(); rest;) {
        const Square square = take_lowest(rest);
        key ^= kZobrist.piece(at(square), square);
    }
    return key;
}

void Board::play(int move, Change& change) {
    const Square from = from_of(move), to = to_of(move);
    const int us = to_move_;
    const Piece piece = at(from), there = at(to);
    const bool is_pawn = kind_of(piece) == kPawn;
    const Square passed = en_passant_;
    set_en_passant(kNoSquare);
    ++halfmove_;
    fullmove_ = static_cast<std::int16_t>(fullmove_ + us);
    remove(piece, from);
    change.go(piece, from);
    if (there != kNone && colour_of(there) == us) {  // castling
        remove(there, to);
        change.go(there, to);
        put(piece, king_to(from, to));
        put(there, rook_to(from, to));
        change.arrive(piece, king_to(from, to));
        change.arrive(there, rook_to(from, to));
    } else {
        if (there != kNone) {
            remove(there, to);
            change.go(there, to);
            halfmove_ = 0;
            for (int right = 2 * (us ^ 1), last = right + 2; right < last; ++right)
                if (castling_[static_cast<std::size_t>(right)] == to) drop_castling(right);
        } else if (is_pawn && to == passed) {
            const Square taken = to + (us == kWhite ? -8 : 8);
            const Piece pawn = piece_of(us ^ 1, kPawn);
            remove(pawn, taken);
            change.go(pawn, taken);
        }
        const Piece come = promotion_of(move) ? piece_of(us, promotion_of(move)) : piece;
        put(come, to);
        change.arrive(come, to);
    }
    if (kind_of(piece) == kKing) {
        drop_castling(2 * us);
        drop_castling(2 * us + 1);
    } else if (kind_of(piece) == kRook) {
        for (int right = 2 * us, last = right + 2; right < last; ++right)
            if (castling_[static_cast<std::size_t>(right)] == from) drop_castling(right);
    }
    to_move_ = static_cast<std::int8_t>(us ^ 1);
    key_ ^= kZobrist.black_to_move;
    if (is_pawn) {
        halfmove_ = 0;
        if ((from ^ to) == 16) {
            const Square behind = (from + to) / 2;
            if ((pawn_attacks(us == kWhite, bit(behind)) & of(us ^ 1, kPawn)) && may_capture_en_passant(behind))
                set_en_passant(behind);
        }
    }
}

void Board::play_null() {
    ++halfmove_;
    set_to_move(to_move_ ^ 1);
}

std::uint64_t Board::key_after_quiet(int move) const {
    const Square from = from_of(move), to = to_of(move);
    const Piece piece = at(from);
    std::uint64_t key = key_ ^ kZobrist.piece(piece, from) ^ kZobrist.piece(piece, to) ^ kZobrist.black_to_move;
    if (en_passant_ != kNoSquare) key ^= kZobrist.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
    for (int right = 2 * to_move_, last = right + 2; right < last; ++right) {
        const Square rook = castling_[static_cast<std::size_t>(right)];
        if (rook != kNoSquare && (kind_of(piece) == kKing || rook == from))
            key ^= kZobrist.castling[static_cast<std::size_t>(rook)];
    }
    return key;
}

}  // namespace tengen::chess
