#include "core/go/katago_area.hpp"

#include <algorithm>

#include "core/go/benson.hpp"
#include "core/go/point_set.hpp"

namespace tengen::go {
namespace {

// The points that the stones of one colour enclose.
template <int N>
struct Region {
    PointList<N> points;
    int inner = 0;           // how many touch no stone of the colour
    bool has_enemy = false;  // whether enemy stones are in it
    bool is_safe = true;     // whether all chains around it are pass-alive

    Region(const Board<N>& board, int start, int stone, const PointMap<N>& alive, PointMap<N>& seen) {
        flood(start, points, seen, [&](int q) { return board.stone(q) != stone && board.stone(q) != kWall; });
        for (int p : points) {
            bool touches = false;
            for (int k = 0; k < 4; ++k) {
                const int q = p + Board<N>::kDelta[k];
                if (board.stone(q) != stone) continue;
                touches = true;
                is_safe = is_safe && alive[static_cast<std::size_t>(q)];
            }
            inner += !touches;
            has_enemy = has_enemy || board.stone(p) != kEmpty;
        }
    }
    bool is_owned() const { return is_safe && (inner <= 1 || !has_enemy); }
};

// Points of a colour with stones that are pass-alive; the same as `claim_empty` where it has none.
template <int N>
void claim(const Board<N>& board, int stone, const PointMap<N>& alive, PointMap<N>& owner) {
    PointMap<N> seen{};
    for_each_point(board, [&](int p) {
        if (board.stone(p) == stone && alive[static_cast<std::size_t>(p)])
            owner[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(stone);
    });
    for_each_point(board, [&](int start) {
        if (board.stone(start) == stone || seen[static_cast<std::size_t>(start)]) return;
        const Region<N> region(board, start, stone, alive, seen);
        if (!region.is_owned() && region.has_enemy) return;
        for (int p : region.points)
            if (std::uint8_t& of = owner[static_cast<std::size_t>(p)]; of == kEmpty || region.is_owned())
                of = static_cast<std::uint8_t>(stone);
    });
}

// Empty regions that touch one colour alone are its own, where nothing is pass-alive.
template <int N>
void claim_empty(const Board<N>& board, PointMap<N>& owner) {
    using Set = PointSet<N>;
    const Set empty = Set::of(board, kEmpty);
    const auto reached = [&](int stone) { return (Set::of(board, stone).neighbours() & empty).connected(empty); };
    const Set black = reached(kBlack), white = reached(kWhite);
    for_each_point(board, [&](int p) {
        if (black.has(p) != white.has(p)) owner[static_cast<std::size_t>(p)] = black.has(p) ? kBlack : kWhite;
    });
}

// Whether the owned point p puts the area that it belongs to in seki.
template <int N>
bool makes_seki(const Board<N>& board, const PointMap<N>& owner, int p) {
    if (board.stone(p) == owner[static_cast<std::size_t>(p)] && board.in_atari(p)) return true;
    for (int k = 0; k < 4; ++k) {
        const int q = p + Board<N>::kDelta[k];
        if (board.stone(q) == kEmpty && owner[static_cast<std::size_t>(q)] == kEmpty) return true;
    }
    return false;
}

// Takes from their owners the points in seki that are not their stones.
template <int N>
void tax_seki(const Board<N>& board, PointMap<N>& owner) {
    const PointMap<N> before = owner;
    PointMap<N> seki{};
    PointList<N> area;
    for_each_point(board, [&](int p) {
        const auto at = static_cast<std::size_t>(p);
        if (before[at] == kEmpty || seki[at] || !makes_seki(board, before, p)) return;
        flood(p, area, seki,
              [&](int q) { return board.stone(q) != kWall && before[static_cast<std::size_t>(q)] == before[at]; });
        for (int q : area)
            if (board.stone(q) != before[at]) owner[static_cast<std::size_t>(q)] = kEmpty;
    });
}

}  // namespace

template <int N>
void katago_area(const Board<N>& board, Tax tax, bool suicide, PointMap<N>& owner) {
    owner.fill(kEmpty);
    PointMap<N> alive[2];
    bool lives = false;
    for (int stone : {kBlack, kWhite}) {
        pass_alive(board, stone, suicide, alive[stone - 1]);
        lives = lives || std::any_of(alive[stone - 1].begin(), alive[stone - 1].end(), [](auto is) { return is != 0; });
    }
    if (lives)
        for (int stone : {kBlack, kWhite}) claim(board, stone, alive[stone - 1], owner);
    else
        claim_empty(board, owner);
    for_each_point(board, [&](int p) {
        std::uint8_t& of = owner[static_cast<std::size_t>(p)];
        if (of == kEmpty) of = static_cast<std::uint8_t>(board.stone(p));
    });
    if (tax != Tax::kNone) tax_seki(board, owner);
}

template void katago_area<9>(const Board<9>&, Tax, bool, PointMap<9>&);
template void katago_area<13>(const Board<13>&, Tax, bool, PointMap<13>&);
template void katago_area<19>(const Board<19>&, Tax, bool, PointMap<19>&);
template void katago_area<25>(const Board<25>&, Tax, bool, PointMap<25>&);

}  // namespace tengen::go
