#include "core/go/pattern3.hpp"

#include <array>
#include <string_view>

#include "core/go/neighbourhood.hpp"

namespace tengen::go {
namespace {

struct Pattern {
    const char* cells;  // nine cells, rows from the top; '#' off the board
};

constexpr Pattern kPatterns[] = {
    {"XOX...???"},  // hane: enclosing
    {"XO....?.?"},  // hane: not cutting
    {"XO?X..x.?"},  // hane: magari
    {".O.X....."},  // diagonal attachment
    {"XO?O.o?o?"},  // cut: unprotected
    {"XO?O.X???"},  // cut: peeped
    {"?X?O.Oooo"},  // cut: de
    {"OX?o.O???"},  // cut: keima
    {"X.?O.?###"},  // edge: chase
    {"OX?X.O###"},  // edge: block a cut
    {"?X?x.O###"},  // edge: block a connection
    {"?XOx.x###"},  // edge: sagari
    {"?OXX.O###"},  // edge: cut
};

bool allows(char cell, int stone) {
    switch (cell) {
        case '.': return stone == kEmpty;
        case 'X': return stone == kBlack;
        case 'O': return stone == kWhite;
        case 'x': return stone == kEmpty || stone == kWhite;
        case 'o': return stone == kEmpty || stone == kBlack;
        case '#': return stone == kWall;
        default: return stone != kWall;
    }
}

// Cell numbers 0..8 of the eight neighbours in the order of the code.
constexpr std::array<int, 8> kCellOfNeighbour = {1, 5, 7, 3, 2, 8, 6, 0};

using Grid = std::array<char, 9>;

Grid rotate(const Grid& g) { return {g[6], g[3], g[0], g[7], g[4], g[1], g[8], g[5], g[2]}; }
Grid mirror(const Grid& g) { return {g[2], g[1], g[0], g[5], g[4], g[3], g[8], g[7], g[6]}; }
Grid swap_colours(Grid g) {
    constexpr std::string_view from = "XOxo", to = "OXox";
    for (char& c : g)
        if (const auto at = from.find(c); at != std::string_view::npos) c = to[at];
    return g;
}

// Mark every code that the grid matches: fill the neighbours in one by one.
void mark(const Grid& grid, unsigned code, int neighbour, std::vector<std::uint8_t>& flags) {
    if (neighbour == 8) {
        flags[code] = kBlack | kWhite;  // every pattern is good for either side
        return;
    }
    for (int stone = 0; stone < 4; ++stone)
        if (allows(grid[static_cast<std::size_t>(kCellOfNeighbour[static_cast<std::size_t>(neighbour)])], stone))
            mark(grid, code | static_cast<unsigned>(stone) << (2 * neighbour), neighbour + 1, flags);
}

}  // namespace

PatternTable::PatternTable() : flags_(65536, 0) {
    for (const Pattern& pattern : kPatterns) {
        Grid grid;
        for (std::size_t i = 0; i < 9; ++i) grid[i] = pattern.cells[i];
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            const Grid shape = symmetry & 4 ? mirror(grid) : grid;
            mark(shape, 0, 0, flags_);
            mark(swap_colours(shape), 0, 0, flags_);
            grid = rotate(grid);
        }
    }
}

const PatternTable kPattern3;

}  // namespace tengen::go
