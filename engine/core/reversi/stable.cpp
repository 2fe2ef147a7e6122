#include "core/reversi/stable.hpp"

#include <vector>

namespace tengen::reversi {
namespace {

// An edge as two bytes, one a side.
constexpr std::size_t edge_at(unsigned own, unsigned enemy) { return own << 8 | enemy; }

// What a disc of `own` on cell `at` of an edge turns of `enemy` there.
unsigned turned_on_edge(unsigned own, unsigned enemy, int at) {
    unsigned turned = 0;
    for (const int step : {1, -1}) {
        unsigned run = 0;
        int i = at + step;
        for (; i >= 0 && i < kSide && enemy >> i & 1; i += step) run |= 1u << i;
        if (i >= 0 && i < kSide && own >> i & 1) turned |= run;
    }
    return turned;
}

// For every edge: the discs of the first side that stay whatever either side plays on it.
std::vector<std::uint8_t> make_edges() {
    std::vector<std::uint8_t> stays(1u << 16, 0);
    for (unsigned filled = 256; filled-- > 0;)  // a superset is a larger number
        for (unsigned own = filled;; own = (own - 1) & filled) {
            const unsigned enemy = filled & ~own;
            unsigned left = own;
            for (int at = 0; at < kSide && left; ++at) {
                const unsigned cell = 1u << at;
                if (filled & cell) continue;
                const unsigned gained = turned_on_edge(own, enemy, at), lost = turned_on_edge(enemy, own, at);
                left &= stays[edge_at(own | gained | cell, enemy & ~gained)];
                left &= stays[edge_at(own & ~lost, enemy | lost | cell)];
            }
            stays[edge_at(own, enemy)] = static_cast<std::uint8_t>(left);
            if (own == 0) break;
        }
    return stays;
}

const std::vector<std::uint8_t> kEdgeStays = make_edges();

constexpr Bits kFileASpread = 0x0102040810204080ULL;

// Column `a`, its cells as a byte with row 1 in bit 0.
unsigned column(Bits bits) { return static_cast<unsigned>(((bits & kFileA) * kFileASpread) >> 56); }

// The opposite: a byte as column a.
Bits as_column(unsigned byte) {
    return ((((byte & 0x0fULL) * 0x00204081ULL) & 0x01010101ULL) |
            ((((byte >> 4) * 0x00204081ULL) & 0x01010101ULL) << 32));
}

Bits stable_on_edges(Bits own, Bits enemy) {
    const auto stays = [](unsigned mine, unsigned theirs) -> unsigned { return kEdgeStays[edge_at(mine, theirs)]; };
    const unsigned top = stays(own & 255, enemy & 255);
    const Bits bottom = stays(static_cast<unsigned>(own >> 56), static_cast<unsigned>(enemy >> 56));
    const unsigned left = stays(column(own), column(enemy)), right = stays(column(own >> 7), column(enemy >> 7));
    return top | bottom << 56 | as_column(left) | as_column(right) << 7;
}

// Cells from which `steps` diagonal steps lead off the board: by rows downward or upward, by columns right or left.
constexpr Bits leaving(int rows, int columns, int steps) {
    Bits out = 0;
    for (int cell = 0; cell < kCells; ++cell) {
        const int row = cell / kSide + rows * steps, column = cell % kSide + columns * steps;
        if (row < 0 || row >= kSide || column < 0 || column >= kSide) out |= 1ULL << cell;
    }
    return out;
}

// Cells all of whose diagonal is filled; kColumns: 1 for diagonals that fall to the right, -1 for the others.
template <int kColumns>
Bits full_diagonals(Bits filled) {
    constexpr int kShift = kSide + kColumns;
    Bits down = filled & (filled >> kShift | leaving(1, kColumns, 1)),
         up = filled & (filled << kShift | leaving(-1, -kColumns, 1));
    down &= down >> 2 * kShift | leaving(1, kColumns, 2);
    up &= up << 2 * kShift | leaving(-1, -kColumns, 2);
    down &= down >> 4 * kShift | leaving(1, kColumns, 4);
    up &= up << 4 * kShift | leaving(-1, -kColumns, 4);
    return down & up;
}

// Cells whose line is full, in each of the directions east, south, south-east, south-west.
struct Full {
    Bits rows, columns, falling, rising;
};
Full full_lines(Bits filled) {
    Full full{};
    Bits rows = filled & filled >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    full.rows = (rows & kFileA) * 255;
    Bits columns = filled & std::rotr(filled, 8);
    columns &= std::rotr(columns, 16);
    full.columns = columns & std::rotr(columns, 32);
    full.falling = full_diagonals<1>(filled);
    full.rising = full_diagonals<-1>(filled);
    return full;
}

}  // namespace

Bits stable(Bits own, Bits enemy) {
    const Full full = full_lines(own | enemy);
    const Bits inner = own & ~kEdges;
    Bits found = stable_on_edges(own, enemy) | (own & full.rows & full.columns & full.falling & full.rising);
    if (!found) return 0;
    while (true) {
        const Bits row = found << 1 | found >> 1 | full.rows, column = found << 8 | found >> 8 | full.columns;
        const Bits falling = found << 9 | found >> 9 | full.falling, rising = found << 7 | found >> 7 | full.rising;
        const Bits more = inner & row & column & falling & rising & ~found;
        if (!more) return found;
        found |= more;
    }
}

}  // namespace tengen::reversi
