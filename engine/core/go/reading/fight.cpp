#include "core/go/reading/fight.hpp"

#include <utility>

#include "core/random.hpp"

namespace tengen::go::reading {
namespace {

std::uint64_t mixed(std::uint64_t x) { return splitmix64(x); }

}  // namespace

bool Fight::play(Position& at, int node, Side side) const {
    const Side enemy = other(side);
    const Mask here = bit(node), around = next[static_cast<std::size_t>(node)];
    at.of(side) |= here;
    Mask open = all() & ~at.stones[0] & ~at.stones[1], taken = 0;
    for (Mask rest = around & at.of(enemy) & ~kOutside; rest;) {
        const Mask chain = connected(rest & (~rest + 1), at.of(enemy));
        rest &= ~chain;
        if (!(chain & kOutside) && !(neighbours(chain) & open)) taken |= chain;
    }
    at.of(enemy) &= ~taken;
    const Mask own = connected(here, at.of(side));
    open |= taken;
    const Mask free = neighbours(own) & open;
    if (!(own & kOutside) && !free) return false;
    const bool is_ko = own == here && std::has_single_bit(taken) && free == taken && taken != bit(kTarget);
    at.ko = static_cast<std::uint8_t>(is_ko ? std::countr_zero(taken) : kNoKo);
    at.ko_side = enemy;
    return true;
}

bool Fight::lives(const Position& at) const {
    constexpr int kMost = 24;
    const Mask own = at.of(Side::kDefender), open = empty(at);
    std::array<Mask, kMost> chains, frees, regions, borders, vital;
    int chain_count = 0, region_count = 0;
    for (Mask rest = own & all(); rest; ++chain_count) {
        if (chain_count == kMost) return false;
        const Mask chain = connected(rest & (~rest + 1), own);
        if (chain & bit(kSafe) && chain & bit(kTarget)) return true;
        rest &= ~chain;
        chains[static_cast<std::size_t>(chain_count)] = chain;
        frees[static_cast<std::size_t>(chain_count)] = neighbours(chain) & open;
    }
    for (Mask rest = all() & ~own; rest;) {
        const Mask region = connected(rest & (~rest + 1), (all() | bit(kOutsideWall)) & ~own);
        rest &= ~region;
        const Mask rim = neighbours(region);
        if ((region | rim) & kOutside) continue;
        if (region_count == kMost) return false;
        Mask border = 0, of = 0;
        for (int c = 0; c < chain_count; ++c) {
            if (rim & chains[static_cast<std::size_t>(c)]) border |= bit(c);
            if (!((region & open) & ~frees[static_cast<std::size_t>(c)])) of |= bit(c);
        }
        regions[static_cast<std::size_t>(region_count)] = region;
        borders[static_cast<std::size_t>(region_count)] = border;
        vital[static_cast<std::size_t>(region_count++)] = of & border;
    }
    Mask alive = bit(chain_count) - 1, kept = bit(region_count) - 1;
    for (bool changes = true; changes;) {
        changes = false;
        for (int c = 0; c < chain_count; ++c) {
            if (!(alive & bit(c)) || chains[static_cast<std::size_t>(c)] & bit(kSafe)) continue;
            int eyes = 0;
            for_each_bit(kept, [&](int r) { eyes += (vital[static_cast<std::size_t>(r)] & bit(c)) != 0; });
            if (eyes >= 2) continue;
            if (c == 0) return false;  // chain 0 has node 0
            alive &= ~bit(c);
            changes = true;
        }
        for (int r = 0; r < region_count; ++r)
            if (kept & bit(r) && borders[static_cast<std::size_t>(r)] & ~alive) {
                kept &= ~bit(r);
                changes = true;
            }
    }
    return true;
}

std::uint64_t Fight::key(const Position& at) const {
    std::uint64_t key = salt;
    for (std::size_t side = 0; side < 2; ++side)
        for_each_bit(at.stones[side] & all(), [&](int node) { key ^= keys[side][static_cast<std::size_t>(node)]; });
    return at.ko == kNoKo ? key : key ^ mixed(keys[0][at.ko] + static_cast<std::uint64_t>(at.ko_side));
}

namespace {

constexpr int kMostEmpty = 20;

// Grows the region of a fight over the board from its target.
template <int N>
class Builder {
public:
    using B = Board<N>;
    Builder(const B& board, int p, const std::array<PointMap<N>, 2>& alive, int reach)
        : board_(board), alive_(alive), target_(board.head(p)), defender_(board.stone(p)), reach_(reach) {
        node_.fill(-1);
        target_liberties_ = board.count_liberties(p, 12);
    }

    std::optional<Fight> build() {
        measure_attackers();
        fight_.cell[0] = static_cast<std::uint16_t>(board_.cell(target_));
        fight_.stones = board_.chain_stones(target_);
        fight_.defender = defender_;
        fight_.size = 1;
        each_stone(target_, [&](int p) { node_[at(p)] = kTarget; });
        each_stone(target_, [&](int p) { reach_out(p, 1); });
        for (std::size_t i = 0; i < static_cast<std::size_t>(queue_.size) && fits_; ++i)
            reach_out(queue_.points[i], distance_[i] + 1);
        if (fits_) close_pockets();
        if (!fits_) return std::nullopt;
        connect();
        return fight_;
    }

private:
    static std::size_t at(int p) { return static_cast<std::size_t>(p); }
    template <class F>
    void each_stone(int p, const F& f) const {
        int q = p;
        do {
            f(q);
            q = board_.next(q);
        } while (q != p);
    }
    void add(int p) {
        if (fight_.size == kNodes || (board_.stone(p) == kEmpty && ++empties_ > kMostEmpty)) fits_ = false;
        if (!fits_) return;
        fight_.cell[static_cast<std::size_t>(fight_.size)] = static_cast<std::uint16_t>(board_.cell(p));
        node_[at(p)] = static_cast<std::int8_t>(fight_.size++);
    }
    void reach_out(int p, int distance, bool is_liberty = false) {
        for (int k = 0; k < 4 && fits_; ++k) visit(p + B::kDelta[k], distance, is_liberty);
    }
    // Take a neighbour into the region; `is_liberty`: of a chain of it, however far that is.
    void visit(int q, int distance, bool is_liberty) {
        const int stone = board_.stone(q);
        if (stone == go::kWall || node_[at(q)] >= 0) return;
        if (distance > reach_ && !(is_liberty && stone == kEmpty)) return;
        if (stone == kEmpty) {
            if (!is_liberty && distance > far_[at(q)] + 1) return;
            if (alive_[0][at(q)] || alive_[1][at(q)]) return;
            add(q);
            distance_[static_cast<std::size_t>(queue_.size)] = distance;
            queue_.add(q);
        } else if (!alive_[static_cast<std::size_t>(stone - 1)][at(q)] && (stone == defender_ || is_weak(q))) {
            each_stone(q, [&](int s) {
                if (fits_) add(s);
            });
            const int beyond = stone == defender_ ? distance : std::max(distance, reach_);
            each_stone(q, [&](int s) { reach_out(s, beyond, true); });
        }
    }
    // Steps over empty points from the attacker's chains that are not weak.
    void measure_attackers() {
        far_.fill(100);
        PointList<N> seen{};
        for_each_point(board_, [&](int p) {
            if (board_.stone(p) != 3 - defender_ || is_weak(p)) return;
            far_[at(p)] = 0;
            seen.add(p);
        });
        for (int i = 0; i < seen.size; ++i)
            for (int k = 0; k < 4; ++k) {
                const int from = seen.points[static_cast<std::size_t>(i)], q = from + B::kDelta[k];
                if (board_.stone(q) != kEmpty || far_[at(q)] < 100) continue;
                far_[at(q)] = static_cast<std::uint8_t>(far_[at(from)] + 1);
                seen.add(q);
            }
    }
    // Take in small pockets behind the rim, which lead nowhere.
    void close_pockets() {
        constexpr int kPocket = 4;
        for_each_point(board_, [&](int start) {
            if (!is_open(start)) return;
            bool touches = false;
            for (int k = 0; k < 4; ++k) {
                const int q = start + B::kDelta[k];
                touches |= board_.stone(q) != go::kWall && node_[at(q)] >= 0;
            }
            if (!touches) return;
            PointList<N> pocket{};
            pocket.add(start);
            for (int i = 0; i < pocket.size && pocket.size <= kPocket; ++i)
                for (int k = 0; k < 4; ++k) {
                    const int q = pocket.points[static_cast<std::size_t>(i)] + B::kDelta[k];
                    if (is_open(q) && !pocket.contains(q)) pocket.add(q);
                }
            if (pocket.size > kPocket) return;
            for (const int p : pocket)
                if (fits_) add(p);
        });
    }
    bool is_open(int p) const {
        const int stone = board_.stone(p);
        return stone != go::kWall && node_[at(p)] < 0 && (stone == kEmpty || stone == defender_) && !alive_[0][at(p)] &&
               !alive_[1][at(p)];
    }
    // Whether the attacker's chain may be captured itself: few liberties and little room behind them.
    bool is_weak(int q) const {
        constexpr int kMost = 6;
        int liberties[kMost];
        const int count = board_.liberties(q, liberties, kMost);
        if (count <= 2) return true;
        if (count == kMost || count > target_liberties_ + 2) return false;
        int room[kMost * 5], size = 0;
        const auto note = [&](int p) {
            for (int i = 0; i < size; ++i)
                if (room[i] == p) return;
            room[size++] = p;
        };
        for (int i = 0; i < count; ++i) {
            note(liberties[i]);
            for (int k = 0; k < 4; ++k)
                if (board_.stone(liberties[i] + B::kDelta[k]) == kEmpty) note(liberties[i] + B::kDelta[k]);
        }
        return size <= count + 3;
    }
    // The outside at an empty point of it.
    Mask rim(int q) const {
        if (alive_[static_cast<std::size_t>(defender_ - 1)][at(q)]) return bit(kSafe);
        if (alive_[static_cast<std::size_t>(2 - defender_)][at(q)]) return bit(kOutsideWall);
        return near_[at(q)] == kAttackers ? bit(kOutsideWall) : kOutside;
    }
    // Who is nearer to empty points of the outside, by steps over empty points: stones of the attacker, or of the defender
    // outside the region.
    void measure() {
        PointList<N> seen{};
        std::array<int, B::kCells> steps;
        near_.fill(0);
        const auto begin = [&](int stone, std::uint8_t mark) {
            for_each_point(board_, [&](int p) {
                if (board_.stone(p) != stone || (stone == defender_ && node_[at(p)] >= 0)) return;
                near_[at(p)] = mark;
                steps[static_cast<std::size_t>(seen.size)] = 0;
                seen.add(p);
            });
        };
        begin(defender_, kDefenders);
        begin(3 - defender_, kAttackers);
        for (int i = 0; i < seen.size; ++i)
            for (int k = 0; k < 4; ++k) {
                const int from = seen.points[static_cast<std::size_t>(i)], q = from + B::kDelta[k];
                if (board_.stone(q) != kEmpty || near_[at(q)] || steps[static_cast<std::size_t>(i)] >= kInfluence)
                    continue;
                near_[at(q)] = near_[at(from)];
                steps[static_cast<std::size_t>(seen.size)] = steps[static_cast<std::size_t>(i)] + 1;
                seen.add(q);
            }
    }
    void connect() {
        measure();
        fight_.gaps = 0;
        std::array<bool, B::kPoints> is_gap{};
        fight_.salt = mixed(static_cast<std::uint64_t>(fight_.cell[0]) * 2 + static_cast<std::uint64_t>(defender_));
        for (int p = 0; p < B::kPoints; ++p) {
            const int node = node_[at(p)];
            if (node < 0) continue;
            const auto n = static_cast<std::size_t>(node);
            if (board_.stone(p) != kEmpty)
                fight_.start.of(board_.stone(p) == defender_ ? Side::kDefender : Side::kAttacker) |= bit(node);
            for (int k = 0; k < 4; ++k) {
                const int q = p + B::kDelta[k], stone = board_.stone(q);
                if (stone == go::kWall) continue;
                if (node_[at(q)] >= 0)
                    fight_.next[n] |= bit(node_[at(q)]);
                else if (stone == kEmpty) {
                    const Mask touched = rim(q);
                    fight_.next[n] |= touched;
                    const bool is_alive = alive_[static_cast<std::size_t>(2 - defender_)][at(q)];
                    if (touched == bit(kOutsideWall) && !is_alive && !std::exchange(is_gap[at(q)], true)) ++fight_.gaps;
                } else
                    fight_.next[n] |= stone == defender_ ? bit(kSafe) : bit(kOutsideWall);
            }
            fight_.next[n] &= ~bit(node);
            for (std::size_t side = 0; side < 2; ++side)
                fight_.keys[side][n] =
                    mixed(0x9e3779b97f4a7c15ULL * (fight_.cell[n] * 2u + side + 1u) ^ 0x5851f42d4c957f2dULL);
            fight_.salt ^= mixed(fight_.salt + fight_.cell[n] * 4u + (fight_.next[n] >> 62));
        }
        fight_.start.of(Side::kAttacker) |= bit(kOutsideWall);
        fight_.start.of(Side::kDefender) |= bit(kSafe);
        if (board_.ko() != B::kNone && node_[at(board_.ko())] >= 0) {
            fight_.start.ko = static_cast<std::uint8_t>(node_[at(board_.ko())]);
            fight_.start.ko_side = board_.ko_stone() == defender_ ? Side::kDefender : Side::kAttacker;
        }
    }

    const B& board_;
    const std::array<PointMap<N>, 2>& alive_;
    int target_, defender_, reach_, target_liberties_, empties_ = 0;
    bool fits_ = true;
    Fight fight_;
    std::array<std::int8_t, B::kPoints> node_;
    static constexpr std::uint8_t kDefenders = 1, kAttackers = 2;
    static constexpr int kInfluence = 3;
    std::array<std::uint8_t, B::kPoints> near_, far_;
    PointList<N> queue_{};
    std::array<int, B::kCells> distance_;
};

}  // namespace

template <int N>
std::optional<Fight> make_fight(const Board<N>& board, int p, const std::array<PointMap<N>, 2>& alive) {
    for (int reach = 4; reach > 0; --reach)
        if (auto fight = Builder<N>(board, p, alive, reach).build()) return fight;
    return std::nullopt;
}

#define TENGEN_MAKE_FIGHT(N) \
    template std::optional<Fight> make_fight(const Board<N>&, int, const std::array<PointMap<N>, 2>&);
TENGEN_MAKE_FIGHT(9)
TENGEN_MAKE_FIGHT(13)
TENGEN_MAKE_FIGHT(19)
TENGEN_MAKE_FIGHT(25)

}  // namespace tengen::go::reading
