#include "core/go/score.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/go/eyeshape.hpp"
#include "core/go/regions.hpp"

namespace tengen::go {

template <int N>
void area_owners(const Board<N>& board, PointMap<N>& owner) {
    owner.fill(kEmpty);
    PointMap<N> seen{};
    PointList<N> region;
    for_each_point(board, [&](int p) {
        if (board.stone(p) != kEmpty) owner[p] = static_cast<std::uint8_t>(board.stone(p));
        if (board.stone(p) != kEmpty || seen[p]) return;
        int touched = 0;
        flood(p, region, seen, [&](int q) {
            if (board.stone(q) != kEmpty && board.stone(q) != kWall) touched |= board.stone(q);
            return board.stone(q) == kEmpty;
        });
        if (touched == kBlack || touched == kWhite)
            for (int q : region) owner[q] = static_cast<std::uint8_t>(touched);
    });
}

template <int N>
int area_margin(const Board<N>& board) {
    PointMap<N> owner;
    area_owners(board, owner);
    int margin = 0;
    for (std::uint8_t o : owner) margin += (o == kBlack) - (o == kWhite);
    return margin;
}

namespace {

// The board with the dead stones off it, and who owns what then.
template <int N>
struct Settled {
    PointMap<N> stone{}, owner{}, seki{};
    int dead[2] = {0, 0};
    int groups[2] = {0, 0};  // living ones, not in seki

    Settled(const Board<N>& board, const PointMap<N>& dead_map) {
        stone.fill(kWall);
        for_each_point(board, [&](int p) {
            const bool is_dead = dead_map[p] && board.stone(p) != kEmpty;
            stone[p] = static_cast<std::uint8_t>(is_dead ? kEmpty : board.stone(p));
            if (is_dead) ++dead[board.stone(p) - 1];
        });
        own_regions(board);
        judge_groups(board);
    }

private:
    void own_regions(const Board<N>& board) {
        PointMap<N> seen{};
        PointList<N> region;
        for_each_point(board, [&](int p) {
            if (stone[p] != kEmpty) owner[p] = stone[p];
            if (stone[p] != kEmpty || seen[p]) return;
            int touched = 0;
            flood(p, region, seen, [&](int q) {
                if (stone[q] == kBlack || stone[q] == kWhite) touched |= stone[q];
                return stone[q] == kEmpty;
            });
            if (touched == kBlack || touched == kWhite)
                for (int q : region) owner[q] = static_cast<std::uint8_t>(touched);
        });
    }

    // A group is what one colour's stones and territory connect, and what it can connect at will: two common neutral
    // points, or one at which the other side could not stay. It is in seki when it touches a neutral point and its
    // territory is less than two eyes.
    void judge_groups(const Board<N>& board) {
        PointMap<N> seen{};
        PointList<N> part;
        for_each_point(board, [&](int p) {
            if (owner[p] == kEmpty || seen[p]) return;
            bool neutral = false;
            flood(p, part, seen, [&](int q) {
                neutral |= stone[q] != kWall && owner[q] == kEmpty;
                return owner[q] == owner[p];
            });
            const int id = static_cast<int>(groups_.size());
            groups_.push_back({id, owner[p], count_eyes(part), neutral});
            for (int q : part) group_[q] = static_cast<std::uint16_t>(id);
        });
        connect(board);
        for (const Group& g : groups_)
            if (g.parent == &g - groups_.data() && !(g.neutral && g.eyes < 2)) ++groups[g.colour - 1];
        for_each_point(board, [&](int p) {
            if (owner[p] == kEmpty) return;
            const Group& g = groups_[static_cast<std::size_t>(root(group_[p]))];
            seki[p] = g.neutral && g.eyes < 2;
        });
    }

    struct Group {
        int parent, colour, eyes;
        bool neutral;
    };

    int root(int g) const {
        while (groups_[static_cast<std::size_t>(g)].parent != g) g = groups_[static_cast<std::size_t>(g)].parent;
        return g;
    }

    void connect(const Board<N>& board) {
        Board<N> living(board.width(), board.height());
        for_each_point(board, [&](int p) {
            if (stone[p] != kEmpty) living.put(p, stone[p]);
        });
        std::set<std::pair<int, int>> met;
        for_each_point(board, [&](int p) {
            if (owner[p] != kEmpty) return;
            for (int i = 0; i < 4; ++i)
                for (int k = 0; k < i; ++k) {
                    const int a = p + Board<N>::kDelta[i], b = p + Board<N>::kDelta[k];
                    if (stone[a] == kWall || stone[a] == kEmpty || stone[a] != stone[b]) continue;
                    const int x = root(group_[a]), y = root(group_[b]);
                    if (x == y) continue;
                    if (is_denied(living, p, 3 - stone[a]) || !met.emplace(std::min(x, y), std::max(x, y)).second)
                        unite(x, y);
                }
        });
    }

    static bool is_denied(const Board<N>& living, int p, int intruder) {
        return !living.is_capture(p, intruder) &&
               (living.is_suicide(p, intruder) || living.liberties_after(p, intruder, 2) < 2);
    }

    void unite(int x, int y) {
        Group &to = groups_[static_cast<std::size_t>(x)], &from = groups_[static_cast<std::size_t>(y)];
        from.parent = x;
        to.eyes += from.eyes;
        to.neutral |= from.neutral;
    }

    int count_eyes(const PointList<N>& part) const {
        PointMap<N> seen{};
        PointList<N> eye;
        int eyes = 0;
        for (int p : part) {
            if (stone[p] != kEmpty || seen[p]) continue;
            flood(p, eye, seen, [&](int q) { return stone[q] == kEmpty && owner[q] == owner[p]; });
            eyes += makes_two_eyes<N>(eye.points.data(), eye.size) ? 2 : 1;
        }
        return eyes;
    }

    std::vector<Group> groups_;
    std::array<std::uint16_t, Board<N>::kPoints> group_{};
};

}  // namespace

template <int N>
Score score(const Board<N>& board, const Rules& rules, const PointMap<N>& dead) {
    const Settled<N> end(board, dead);
    float points[2] = {0, 0};
    for_each_point(board, [&](int p) {
        const int owner = end.owner[p];
        if (owner == kEmpty) return;
        if (end.stone[p] != kEmpty)
            points[owner - 1] += rules.scoring == Scoring::kArea;
        else if (rules.tax == Tax::kNone || !end.seki[p])
            points[owner - 1] += 1;
    });
    for (int c : {0, 1}) {
        if (rules.scoring == Scoring::kTerritory)
            points[c] += static_cast<float>(board.captured(2 - c) + end.dead[1 - c]);
        if (rules.tax == Tax::kAll) points[c] -= static_cast<float>(2 * end.groups[c]);
    }
    return {points[0], points[1]};
}

template <int N>
void seki_stones(const Board<N>& board, const PointMap<N>& dead, PointMap<N>& seki) {
    const Settled<N> end(board, dead);
    for (int p = 0; p < Board<N>::kPoints; ++p)
        seki[p] = end.seki[p] && (end.stone[p] == kBlack || end.stone[p] == kWhite);
}

#define TENGEN_INSTANTIATE(N)                                                   \
    template void area_owners<N>(const Board<N>&, PointMap<N>&);                \
    template int area_margin<N>(const Board<N>&);                               \
    template Score score<N>(const Board<N>&, const Rules&, const PointMap<N>&); \
    template void seki_stones<N>(const Board<N>&, const PointMap<N>&, PointMap<N>&);
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
