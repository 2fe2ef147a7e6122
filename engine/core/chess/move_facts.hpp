// What can be told of a legal move without looking further than an exchange: what moves and what it takes, whether it
// wins or loses pieces there, what it leaves, what it threatens, whether it mates. For networks that say how people play
// (nets/chess_policy.py has the same `kFacts`).
#pragma once

#include <array>
#include <span>

#include "core/chess/moves.hpp"

namespace tengen::chess {

// The digits of a move's number, the first the most significant, each by how many values it has:
//    piece       6  the kind that moves
//    taken       7  the kind that is taken; 6: nothing
//    exchange    8  what the exchange on the target square brings, in steps (`static_exchange.hpp`); 3: about nothing
//    threatened  4  where it comes from: 0 not attacked, 1 attacked and defended, 2 attacked alone, 3 by a lesser piece
//    check       2  it gives check
//    attacks     4  what the moved piece then attacks that is worth more, or is undefended: 1 a pawn, 2 a piece, 3 a rook
//                   or a queen
//    received    4  who attacks where it goes: 0 nobody, 1 a piece, 2 a knight or a bishop, 3 a pawn
//    supported   3  how many other own pieces attack where it goes, up to two
//    left        7  the best exchange that it then leaves the enemy elsewhere: 0 none, 1 a pawn, 2 a piece, 3 a rook, 4 a
//                   queen; 5: it mates, 6: it ends the game otherwise
//    threat      4  the own best exchange if the enemy did nothing: 0 none, 1 a pawn, 2 a piece, 3 more
//    new         2  the piece that the enemy moved last attacks where it comes from
inline constexpr std::array kFacts = {6, 7, 8, 4, 2, 4, 4, 3, 7, 4, 2};

// out(move, number) of each legal move but promotions to less than a queen. last: the enemy's move before, -1: unknown.
// A number is 1 plus its digits' value, below 2^24, so that a float holds it.
template <class Out>
void facts_of_moves(const Board& board, int last, const Out& out);

namespace facts {

class Teller {
public:
    Teller(const Board& board, int last);
    int number(int move) const;

private:
    int threatened(Square from, int kind) const;
    int received(Square to) const;

    const Board& board_;
    int us_, them_;
    Bits attacked_ = 0, by_pawns_ = 0, by_lesser_ = 0, by_rooks_ = 0, by_last_ = 0;
};

}  // namespace facts

template <class Out>
void facts_of_moves(const Board& board, int last, const Out& out) {
    const facts::Teller teller(board, last);
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data());
    for (const int move : std::span(moves).first(static_cast<std::size_t>(size)))
        if (promotion_of(move) == 0 || promotion_of(move) == kQueen) out(move, teller.number(move));
}

}  // namespace tengen::chess
