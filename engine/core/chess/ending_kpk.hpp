// King and pawn against king, exactly: a bit for each position, computed backwards from the positions that are decided by
// the next move. Made when it is first asked (10 to 20 ms, 24 KB).
#pragma once

#include "core/chess/bits.hpp"

namespace tengen::chess::kpk {

// Whether White wins with its pawn, which may stand on any file. The position has to be legal.
bool is_won(Square white_king, Square pawn, Square black_king, bool is_white_to_move);

// Positions of the table that White wins, the pawn on one of the files a to d.
int won_positions();

}  // namespace tengen::chess::kpk
