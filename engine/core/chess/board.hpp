// A chess position: pieces as sets and by square, who is to move, castling rights, en passant, counters, key. Played on
// in place; a copy takes it back. Castling is the king taking its own rook, which is how Chess960 tells it apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/chess/attacks.hpp"
#include "core/chess/zobrist.hpp"

namespace tengen::chess {

enum Kind : int { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kKinds };
inline constexpr int kWhite = 0, kBlack = 1;
inline constexpr int kNoSquare = -1;

// from | to << 6 | promotion << 12 (0, or a Kind from kKnight to kQueen).
constexpr int from_of(int move) { return move & 63; }
constexpr int to_of(int move) { return move >> 6 & 63; }
constexpr int promotion_of(int move) { return move >> 12; }
constexpr int move_of(Square from, Square to, int promotion = 0) { return from | to << 6 | promotion << 12; }
inline constexpr int kMoveBound = 5 << 12;
inline constexpr int kMostMoves = 256;  // no position has more

// A piece on a square, or what has gone: colour * 6 + kind; kNone for an empty square.
using Piece = std::uint8_t;
inline constexpr Piece kNone = 12;
constexpr Piece piece_of(int colour, int kind) { return static_cast<Piece>(colour * kKinds + kind); }
constexpr int kind_of(Piece piece) { return piece >= kKinds ? piece - kKinds : piece; }
constexpr int colour_of(Piece piece) { return piece >= kKinds; }

// What a move changed on the board: up to two pieces gone and two come, with their squares.
struct Change {
    struct One {
        Piece piece;
        std::uint8_t square;
    };
    std::array<One, 2> gone, come;
    int gone_count = 0, come_count = 0;
    void go(Piece piece, Square square) {
        gone[static_cast<std::size_t>(gone_count++)] = {piece, static_cast<std::uint8_t>(square)};
    }
    void arrive(Piece piece, Square square) {
        come[static_cast<std::size_t>(come_count++)] = {piece, static_cast<std::uint8_t>(square)};
    }
};

class Board {
public:
    Board();  // the start

    int to_move() const { return to_move_; }
    Bits all() const { return colours_[0] | colours_[1]; }
    Bits of(int colour) const { return colours_[static_cast<std::size_t>(colour)]; }
    Bits of(int colour, int kind) const { return of(colour) & kinds_[static_cast<std::size_t>(kind)]; }
    Bits kind(int kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
    Piece at(Square square) const { return at_[static_cast<std::size_t>(square)]; }
    Square king(int colour) const { return lowest(of(colour, kKing)); }
    std::uint64_t key() const { return key_; }
    int halfmove() const { return halfmove_; }  // plies since a capture or a move of a pawn
    int fullmove() const { return fullmove_; }
    Square en_passant() const { return en_passant_; }  // kNoSquare unless such a capture is legal
    // The square of the rook that a colour may castle with, kNoSquare: none.
    Square castling(int colour, bool king_side) const {
        return castling_[static_cast<std::size_t>(colour * 2 + !king_side)];
    }
    bool is_chess960() const { return is_chess960_; }  // how castling is written; no rule

    // Pieces of a colour that attack a square, were these squares occupied.
    Bits attackers(Square square, int colour, Bits occupied) const {
        const Bits diagonal = kind(kBishop) | kind(kQueen), straight = kind(kRook) | kind(kQueen);
        return ((pawn_attacks(colour != kWhite, bit(square)) & kind(kPawn)) | (knight_attacks(square) & kind(kKnight)) |
                (king_attacks(square) & kind(kKing)) | (bishop_attacks(square, occupied) & diagonal) |
                (rook_attacks(square, occupied) & straight)) &
               of(colour);
    }
    Bits checkers() const { return attackers(king(to_move_), to_move_ ^ 1, all()); }

    bool is_castling(int move) const { return of(to_move_) & bit(to_of(move)); }
    bool is_en_passant(int move) const { return to_of(move) == en_passant_ && kind_of(at(from_of(move))) == kPawn; }
    bool is_capture(int move) const { return (of(to_move_ ^ 1) & bit(to_of(move))) || is_en_passant(move); }
    // Where king and rook stand after castling.
    static Square king_to(Square king, Square rook) { return (king & 56) | (rook > king ? 6 : 2); }
    static Square rook_to(Square king, Square rook) { return (king & 56) | (rook > king ? 5 : 3); }

    // A legal move.
    void play(int move, Change& change);
    void play(int move) {
        Change change;
        play(move, change);
    }
    void play_null();  // not in check
    // The key after a legal move that captures nothing, moves no pawn and does not castle.
    std::uint64_t key_after_quiet(int move) const;
    // The key after any other, but for promotions, castling, rights to castle, and en passant.
    std::uint64_t likely_key_after(int move) const {
        const Square from = from_of(move), to = to_of(move);
        std::uint64_t key =
            key_ ^ kZobrist.piece(at(from), from) ^ kZobrist.piece(at(from), to) ^ kZobrist.black_to_move;
        if (at(to) != kNone) key ^= kZobrist.piece(at(to), to);
        if (en_passant_ != kNoSquare) key ^= kZobrist.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
        return key;
    }

    // For whoever sets a position up: an empty board, then pieces, then the rest.
    static Board empty(bool is_chess960);
    void put(Piece piece, Square square);
    // castling: as `castling` tells, White's king side first; what cannot be is left out, en passant likewise.
    void finish(int to_move, const std::array<int, 4>& castling, Square en_passant, int halfmove, int fullmove);
    void set_to_move(int colour);
    std::uint64_t pieces_key() const;

private:
    struct Nothing {};
    explicit Board(Nothing) { at_.fill(kNone); }
    void remove(Piece piece, Square square);
    void drop_castling(int right);
    void set_en_passant(Square square);
    bool may_capture_en_passant(Square square) const;

    std::array<Bits, kKinds> kinds_{};
    std::array<Bits, 2> colours_{};
    std::array<Piece, kSquares> at_;
    std::uint64_t key_ = 0;
    std::array<std::int8_t, 4> castling_{kNoSquare, kNoSquare, kNoSquare, kNoSquare};
    std::int16_t halfmove_ = 0, fullmove_ = 1;
    std::int8_t to_move_ = kWhite, en_passant_ = kNoSquare;
    bool is_chess960_ = false;
};

}  // namespace tengen::chess
