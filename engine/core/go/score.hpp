// Counting a finished board: area and territory, dead stones, seki, prisoners, taxes.
//
// Tromp-Taylor areas are exact. Territory follows the Japanese rules (1989, articles 8-10) as far as a board alone
// can tell: dead stones are given by the caller, and a group is taken to be in seki when it touches a neutral point
// and cannot show two eyes. Komi and handicap bonuses are not counted here.
#pragma once

#include "core/go/regions.hpp"
#include "core/go/state.hpp"

namespace tengen::go {

// Tromp-Taylor owner of every point: stones and empty regions that reach one colour only; kEmpty for neutral.
template <int N>
void area_owners(const Board<N>& board, PointMap<N>& owner);

// Black's area minus White's, without komi.
template <int N>
int area_margin(const Board<N>& board);

struct Score {
    float black = 0, white = 0;
    float margin() const { return black - white; }
};

// Points of both sides once the stones in `dead` (1 = dead, by point) are off the board.
// Area: stones and territory. Territory: empty points and prisoners, the dead ones included.
// Tax kSeki: the eyes of groups in seki count nothing. Tax kAll: besides, every living group pays two points.
template <int N>
Score score(const Board<N>& board, const Rules& rules, const PointMap<N>& dead);

// Stones of groups in seki (1), when the stones in `dead` are off the board.
template <int N>
void seki_stones(const Board<N>& board, const PointMap<N>& dead, PointMap<N>& seki);

}  // namespace tengen::go
