// King, bishop and knight against king, exactly: half-moves to the mate, computed backwards from all mates, whole sets of
// squares of the bare king at once. Made when it is first asked (0.1 s, 8 MB).
#pragma once

#include <optional>

#include "core/chess/bits.hpp"

namespace tengen::chess::kbnk {

// Half-moves until the bare king is mated; nothing where it is not. The position has to be legal.
std::optional<int> plies_to_mate(Square strong_king, Square bishop, Square knight, Square bare_king,
                                 bool is_strong_to_move);

}  // namespace tengen::chess::kbnk
