// The 3x3 neighbourhood of a point as a 16-bit code, and what can be read off it by one look-up.
//
// Two bits a neighbour (0 empty, 1 black, 2 white, 3 off the board), orthogonal neighbours in the low byte in
// the order up, right, down, left, diagonal ones in the high byte in the order up-right, down-right, down-left,
// up-left. The board keeps the code of every point up to date on play and capture.
#pragma once

#include <array>
#include <cstdint>

namespace tengen::go {

constexpr int kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3;  // stones; a player's colour is stone - 1

struct NeighbourhoodTable {
    enum Flag : std::uint8_t {
        kHasEmptyNeighbour = 1,  // an orthogonal neighbour is empty
        kPlayoutEye = 2,         // << (stone - 1): kBlack 2, kWhite 4
        kTextbookEye = 8,        // << (stone - 1): kBlack 8, kWhite 16
    };
    std::array<std::uint8_t, 65536> flags;

    NeighbourhoodTable();

    bool has_empty(unsigned code) const { return flags[code] & kHasEmptyNeighbour; }
    // All orthogonal neighbours own, fewer than two enemy diagonals, none at the edge.
    bool playout_eye(unsigned code, int stone) const { return flags[code] & (kPlayoutEye << (stone - 1)); }
    // All orthogonal neighbours own; edge and corner: all diagonals own; centre: three of four.
    bool textbook_eye(unsigned code, int stone) const { return flags[code] & (kTextbookEye << (stone - 1)); }
};

extern const NeighbourhoodTable kNeighbourhood;

}  // namespace tengen::go
