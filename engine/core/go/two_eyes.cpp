#include "core/go/two_eyes.hpp"

#include <vector>

#include "core/go/enclosure.hpp"

namespace tengen::go {
namespace {

template <int N>
class Group {
    using B = Board<N>;

public:
    Group(const B& board, int p) : board_(board), own_(board.stone(p)), enemy_(3 - own_) {
        chains_.push_back(board.head(p));
        for (std::size_t i = 0; i < chains_.size(); ++i) grow(chains_[i]);
    }

    bool has_two_eyes() const {
        PointMap<N> seen{};
        int eyes = 0;
        for (int chain : chains_)
            for (int p : liberties(chain)) {
                if (seen[p]) continue;
                const Enclosure<N> region(board_, p, own_);
                if (!region.is_small()) continue;
                for (int i = 0; i < region.size(); ++i) seen[region.point(i)] = 1;
                if (is_mine(region)) eyes += worth(region);
                if (eyes >= 2) return true;
            }
        return false;
    }

private:
    std::vector<int> liberties(int chain) const {
        std::vector<int> found(B::kCells);
        found.resize(static_cast<std::size_t>(board_.liberties(chain, found.data(), B::kCells)));
        return found;
    }

    bool has(int head) const { return std::find(chains_.begin(), chains_.end(), head) != chains_.end(); }

    // Add the chains that share two liberties, or a safe one, with this one.
    void grow(int chain) {
        std::vector<int> met;  // a head for every common liberty
        for (int p : liberties(chain)) {
            std::vector<int> here;
            for (int k = 0; k < 4; ++k) {
                const int q = p + B::kDelta[k];
                if (board_.stone(q) != own_ || board_.head(q) == chain || has(board_.head(q))) continue;
                if (std::find(here.begin(), here.end(), board_.head(q)) == here.end()) here.push_back(board_.head(q));
            }
            const bool is_safe = !here.empty() && is_denied(p);
            for (int head : here) {
                if (is_safe || std::find(met.begin(), met.end(), head) != met.end()) {
                    if (!has(head)) chains_.push_back(head);
                } else {
                    met.push_back(head);
                }
            }
        }
    }

    // Whether the opponent cannot hold the empty point p: he has no second liberty there and captures nothing.
    bool is_denied(int p) const {
        return !board_.is_capture(p, enemy_) &&
               (board_.is_suicide(p, enemy_) || board_.liberties_after(p, enemy_, 2) < 2);
    }

    bool is_mine(const Enclosure<N>& region) const {
        for (int i = 0; i < region.chains(); ++i)
            if (!has(region.chain(i))) return false;
        return true;
    }

    int worth(const Enclosure<N>& region) const {
        if (region.size() > 2) return region.eyes(board_, B::kNone);
        for (int i = 0; i < region.size(); ++i)
            if (is_false(region, region.point(i))) return 0;
        return 1;
    }

    bool is_false(const Enclosure<N>& region, int p) const {
        int bad = 0;
        bool edge = false;
        for (int k = 4; k < 8; ++k) {
            const int q = p + B::kDelta[k], s = board_.stone(q);
            edge |= s == kWall;
            if (s == own_ || s == kWall || region.contains(q)) continue;
            bad += s == enemy_ ? !is_prisoner(q) : !is_denied(q) && !is_prisoner(q);
        }
        return bad + edge >= 2;
    }

    // A point inside another eye of the group.
    bool is_prisoner(int q) const {
        const Enclosure<N> region(board_, q, own_);
        return region.is_small() && is_mine(region);
    }

    const B& board_;
    int own_, enemy_;
    std::vector<int> chains_;  // heads
};

}  // namespace

template <int N>
bool has_two_eyes(const Board<N>& board, int p) {
    return Group<N>(board, p).has_two_eyes();
}

template bool has_two_eyes<9>(const Board<9>&, int);
template bool has_two_eyes<13>(const Board<13>&, int);
template bool has_two_eyes<19>(const Board<19>&, int);
template bool has_two_eyes<25>(const Board<25>&, int);

}  // namespace tengen::go
