#include "core/go/benson.hpp"

#include <algorithm>

#include "core/go/point_set.hpp"

namespace tengen::go {
namespace {

template <int N>
class Benson {
    using B = Board<N>;
    static constexpr int kMost = B::kCells;

public:
    // `regions`: the points of regions that are vital to a chain, if any is.
    Benson(const B& board, int stone, bool suicide, const PointSet<N>& regions)
        : board_(board), stone_(stone), suicide_(suicide) {
        find_chains();
        PointMap<N> seen{};
        for_each_point(board, [&](int p) {
            if (regions.has(p) && !seen[p]) add_region(p, seen);
        });
    }

    void run(PointMap<N>& alive) {
        alive.fill(0);
        if (vital_links_ < 2) return;
        while (drop_chains()) drop_regions();
        for_each_point(board_, [&](int p) { alive[p] = board_.stone(p) == stone_ && chain_alive_[chain_of(p)]; });
        for (int i = 0; i < links_; ++i)
            if (link_[i].vital && region_alive_[link_[i].region] && chain_alive_[link_[i].chain])
                vital_[link_[i].region] = 1;
        for_each_point(board_, [&](int p) {
            if (board_.stone(p) != stone_ && vital_[region_of_[p]]) alive[p] = 1;
        });
    }

private:
    struct Link {  // a region and a chain that borders it
        std::uint16_t region, chain;
        bool vital;
    };

    int chain_of(int p) const { return index_[board_.head(p)]; }

    void find_chains() {
        for_each_point(board_, [&](int p) {
            if (board_.stone(p) == stone_ && board_.head(p) == p) {
                chain_alive_[chains_] = 1;
                index_[p] = static_cast<std::uint16_t>(chains_++);
            }
        });
    }

    void add_region(int start, PointMap<N>& seen) {
        PointList<N> region;
        flood(start, region, seen, [&](int q) { return board_.stone(q) != stone_ && board_.stone(q) != kWall; });
        region_alive_[regions_] = 1;
        const int first = links_;
        int must = 0;  // points that a vital region's chain has to touch
        for (int p : region) {
            region_of_[p] = static_cast<std::uint16_t>(regions_);
            const bool counts = suicide_ || board_.stone(p) == kEmpty;
            must += counts;
            int near[4], count = 0;  // the distinct chains around p
            for (int k = 0; k < 4; ++k) {
                const int q = p + B::kDelta[k];
                if (board_.stone(q) == stone_ && std::find(near, near + count, chain_of(q)) == near + count)
                    near[count++] = chain_of(q);
            }
            for (int i = 0; i < count; ++i) {
                if (touched_by_[near[i]] != regions_ + 1) {
                    touched_by_[near[i]] = static_cast<std::uint16_t>(regions_ + 1);
                    liberties_[near[i]] = 0;
                    link_[links_++] = {static_cast<std::uint16_t>(regions_), static_cast<std::uint16_t>(near[i]),
                                       false};
                }
                liberties_[near[i]] = static_cast<std::uint16_t>(liberties_[near[i]] + counts);
            }
        }
        for (int i = first; i < links_; ++i) vital_links_ += link_[i].vital = liberties_[link_[i].chain] == must;
        ++regions_;
    }

    bool drop_chains() {
        std::array<std::uint16_t, kMost> vital{};
        for (int i = 0; i < links_; ++i)
            if (link_[i].vital && region_alive_[link_[i].region]) ++vital[link_[i].chain];
        bool dropped = false;
        for (int c = 0; c < chains_; ++c)
            if (chain_alive_[c] && vital[c] < 2) {
                chain_alive_[c] = 0;
                dropped = true;
            }
        return dropped;
    }

    void drop_regions() {
        for (int i = 0; i < links_; ++i)
            if (!chain_alive_[link_[i].chain]) region_alive_[link_[i].region] = 0;
    }

    const B& board_;
    int stone_;
    bool suicide_;
    int chains_ = 0, regions_ = 1, links_ = 0, vital_links_ = 0;  // region 0: of points that are in none
    std::array<std::uint16_t, B::kPoints> index_{}, region_of_{};
    std::array<std::uint8_t, kMost + 1> chain_alive_{}, region_alive_{}, vital_{};
    std::array<std::uint16_t, kMost> touched_by_{}, liberties_{};
    std::array<Link, 4 * kMost> link_;  // every link has a point and a neighbour of its own
};

// The regions that are vital to a chain, if any is: each of their points that count touches a stone of the colour.
template <int N>
PointSet<N> worth_reading(const Board<N>& board, int stone, bool suicide) {
    using Set = PointSet<N>;
    const Set own = Set::of(board, stone), empty = Set::of(board, kEmpty);
    const Set outside = empty | Set::of(board, 3 - stone);
    const Set inner = (suicide ? outside : empty).without(own.neighbours());
    return outside.without(inner.connected(outside));
}

}  // namespace

template <int N>
void pass_alive(const Board<N>& board, int stone, bool suicide, PointMap<N>& alive) {
    const PointSet<N> regions = worth_reading(board, stone, suicide);
    if (regions.first().connected(regions) == regions) {  // none, or one: life needs two
        alive.fill(0);
        return;
    }
    Benson<N>(board, stone, suicide, regions).run(alive);
}

template void pass_alive<9>(const Board<9>&, int, bool, PointMap<9>&);
template void pass_alive<13>(const Board<13>&, int, bool, PointMap<13>&);
template void pass_alive<19>(const Board<19>&, int, bool, PointMap<19>&);
template void pass_alive<25>(const Board<25>&, int, bool, PointMap<25>&);

}  // namespace tengen::go
