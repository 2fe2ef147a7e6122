// Positions that nobody wins, for certain, against a side that has nothing but its king. Each is closed: the bare king has
// a move that stays within it, or none and is not in check, and no move of the other side leads out of it.
#pragma once

#include <optional>

#include "core/chess/ending_geometry.hpp"
#include "core/chess/ending_kbnk.hpp"
#include "core/chess/ending_kpk.hpp"

namespace tengen::chess::endings {

// King and pawn: what the table says.
inline bool is_pawn_stopped(const Board& board, int strong) {
    return !kpk::is_won(seen_by(strong, board.king(strong)), seen_by(strong, lowest(board.of(strong, kPawn))),
                        seen_by(strong, board.king(strong ^ 1)), board.to_move() == strong);
}

// Pawns on one edge file alone, no bishop that sees where they promote: the king next to that corner goes there and
// back. Nothing ever attacks the corner.
inline bool is_corner_kept(const Board& board, int strong) {
    const Bits pawns = board.of(strong, kPawn);
    if (!pawns || pawns & ~(kFileA | kFileH) || (pawns & kFileA && pawns & kFileH)) return false;
    const Square corner = promotion_of_file(strong, pawns & kFileA ? 0 : 7);
    if (board.of(strong, kBishop) & squares_like(corner)) return false;
    return steps_between(board.king(strong ^ 1), corner) <= 1;
}

// Knight and a pawn that is a step before its edge corner. The knight cannot guard pawn and corner at once, and the king
// that comes to help takes the last move. Not where that king is there already, or the knight guards the corner just when
// the pawn may promote.
inline bool is_knight_tied(const Board& board, int strong) {
    const Square pawn = seen_by(strong, lowest(board.of(strong, kPawn)));
    if (rank_of(pawn) != 6 || (file_of(pawn) != 0 && file_of(pawn) != 7)) return false;
    const int inwards = file_of(pawn) == 0 ? 1 : -1;
    const Square corner = pawn + 8, beside = pawn + inwards, weak = seen_by(strong, board.king(strong ^ 1));
    if (weak == beside)
        return board.to_move() != strong || !(knight_attacks(seen_by(strong, corner)) & board.of(strong, kKnight));
    const Square helper = seen_by(strong, board.king(strong));
    return weak == corner && helper != pawn - 8 && helper != beside - 8;
}

// Bishop and knight: half-moves to the mate by the table, nothing where one of them is lost or it is stalemate.
inline std::optional<int> plies_by_table(const Board& board, int strong) {
    return kbnk::plies_to_mate(board.king(strong), lowest(board.of(strong, kBishop)), lowest(board.of(strong, kKnight)),
                               board.king(strong ^ 1), board.to_move() == strong);
}
inline bool is_no_mate(const Board& board, int strong) { return !plies_by_table(board, strong); }

}  // namespace tengen::chess::endings
