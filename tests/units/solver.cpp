// Parts of Reversi's solver, and a plain one to compare it with: alpha-beta with a table, by the plain code of
// bits.hpp, by fewest replies alone.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/reversi/last_cells.hpp"
#include "core/reversi/stable.hpp"
#include "core/reversi/state.hpp"

namespace nb = nanobind;
using namespace tengen::reversi;

namespace {

class PlainSolver {
public:
    PlainSolver() : table_(kEntries) {}

    int solve(Bits own, Bits enemy, int alpha, int beta) {
        Bits can = plain::moves(own, enemy);
        if (!can) {
            if (!plain::moves(enemy, own)) return final_margin(own, enemy);
            return -solve(enemy, own, -beta, -alpha);
        }
        Entry* entry = nullptr;
        if (count(~(own | enemy)) >= kKeptEmpties) {
            entry = &table_[(own * 0x9e3779b97f4a7c15ULL ^ enemy * 0xc2b2ae3d27d4eb4fULL) >> (64 - kBits)];
            if (entry->own == own && entry->enemy == enemy) {
                if (entry->low >= beta || entry->low == entry->high) return entry->low;
                if (entry->high <= alpha) return entry->high;
            }
        }
        std::array<std::array<Bits, 3>, kCells> moves;  // replies, then both sides after the move
        std::size_t found = 0;
        for (; can; can &= can - 1) {
            const Bits turned = plain::flips(own, enemy, lowest(can));
            const Bits mine = own | turned | (can & -can), theirs = enemy & ~turned;
            moves[found++] = {static_cast<Bits>(count(plain::moves(theirs, mine))), theirs, mine};
        }
        std::sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(found));
        int best = -kCells - 1;
        for (std::size_t i = 0; i < found && best < beta; ++i)
            best = std::max(best, -solve(moves[i][1], moves[i][2], -beta, -std::max(alpha, best)));
        if (entry) {
            if (entry->own != own || entry->enemy != enemy) *entry = {own, enemy};
            if (best < beta) entry->high = best;
            if (best > alpha) entry->low = best;
        }
        return best;
    }

private:
    static constexpr int kBits = 16, kKeptEmpties = 6;
    static constexpr std::size_t kEntries = std::size_t{1} << kBits;
    struct Entry {
        Bits own = 0, enemy = 0;
        int low = -kCells, high = kCells;
    };
    std::vector<Entry> table_;
};

int solve(Bits own, Bits enemy, int alpha, int beta) { return PlainSolver().solve(own, enemy, alpha, beta); }

// How many of `count` made-up positions and cells have other moves, flips or counts of last flips than the plain code
// says.
int wrong_moves(std::uint64_t seed, int positions) {
    int wrong = 0;
    const auto next = [&seed] {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        return seed ^= seed << 17;
    };
    for (int i = 0; i < positions; ++i) {
        const Bits filled = i % 3 ? next() | next() : next(), side = next(), own = filled & side,
                   enemy = filled & ~side;
        wrong += moves(own, enemy) != plain::moves(own, enemy);
        for (int cell = 0; cell < kCells; ++cell) {
            const Bits self = 1ULL << cell;
            if (!(filled & self)) {
                const Bits turned = plain::flips(own, enemy, cell);
                wrong += flips(own, enemy, cell) != turned || flips(Wide(own), Wide(enemy), cell).bits() != turned;
                wrong += last::turned_by(Wide(own), Wide(enemy), cell) != turned;
            }
            const Bits mine = side & ~self;  // a full board but for the cell
            wrong += last::count_turned(mine, cell) != count(plain::flips(mine, ~side & ~self, cell));
        }
    }
    return wrong;
}

}  // namespace

void bind_solver(nb::module_& module) {
    module.def("reversi_plain_solve", &solve, nb::arg("own"), nb::arg("enemy"), nb::arg("alpha") = -kCells,
               nb::arg("beta") = kCells, nb::call_guard<nb::gil_scoped_release>());
    module.def("reversi_stable", &stable, nb::arg("own"), nb::arg("enemy"));
    module.def("reversi_wrong_moves", &wrong_moves, nb::arg("seed"), nb::arg("positions"));
}
