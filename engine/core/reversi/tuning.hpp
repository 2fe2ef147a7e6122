// The numbers of Reversi's alpha-beta search (core/alphabeta/constants.hpp says what each does), in units of a disc's
// kDisc-th where they are scores, and where each is from. "usual": as engines usually have it, not measured alone.
#pragma once

#include "core/alphabeta/tuning.hpp"
#include "core/reversi/evaluation.hpp"

namespace tengen::reversi {

inline constexpr alphabeta::Tuning kTuning{
    // usual
    .window = 3 * kDisc,
    .table_depth = 2,
    .time_fall_unit = 3 * kDisc,
    .etc_depth = 5,
    .probcut_nested = 2,
    // by hand: each level leaves out more; level 5 is the default
    .probcut_1 = 3.3,
    .probcut_2 = 2.6,
    .probcut_3 = 2.0,
    .probcut_4 = 1.5,
    .probcut_5 = 1.1,
};

}  // namespace tengen::reversi
