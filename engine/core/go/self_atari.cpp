#include "core/go/self_atari.hpp"

#include "core/go/enclosure.hpp"

namespace tengen::go {
namespace {

enum class Verdict { kGood, kBad, kUnclear };

// One self-atari: the chain at `p` has `stones` stones and the one liberty `liberty` on `after`.
template <int N>
class SelfAtari {
    using B = Board<N>;

    static constexpr int kRaceLiberties = 3;  // an enclosing group with no more can be raced from inside

public:
    SelfAtari(const B& before, const B& after, int p, int stone)
        : before_(before),
          after_(after),
          p_(p),
          own_(stone),
          enemy_(3 - stone),
          liberty_(after.atari_liberty(p)),
          stones_(after.chain_stones(p)),
          taken_(after) {
        taken_.play(liberty_, enemy_);
    }

    bool is_bad() const {
        const int retaken = stones_retaken();
        if (retaken > stones_) return false;
        if (const Verdict v = judge_inside(); v != Verdict::kUnclear) return v == Verdict::kBad;
        if (retaken > 0 && stones_ <= 2) return false;
        if (escapes_instead()) return true;
        return !(is_throw_in() || is_second_throw_in() || is_corner_descent());
    }

private:
    // Stones that can be taken at once from whoever takes this chain; a ko counts as none.
    int stones_retaken() const {
        return taken_.in_atari(liberty_) && taken_.ko() == 0 ? taken_.chain_stones(liberty_) : 0;
    }

    // Nakade and races: what is the enclosed region worth to the enemy, had he moved first, and after taking?
    Verdict judge_inside() const {
        const Enclosure<N> inside(after_, p_, enemy_);
        if (!inside.is_small()) return Verdict::kUnclear;
        const int eyes = inside.eyes(taken_, liberty_);
        if (eyes >= 2) return is_last_stand(inside) ? Verdict::kGood : Verdict::kBad;
        const int elsewhere = inside.shared_eyes(after_);
        if (eyes == 1 && elsewhere > 0 && inside.chains() > 1) return Verdict::kBad;
        if (eyes == 1 && taking_rescues(inside)) return Verdict::kBad;
        if (inside.eyes_moving_first(before_) > eyes) return Verdict::kGood;
        if (eyes_after_other_end(inside) < eyes) return Verdict::kBad;
        if (elsewhere == 0 && inside.liberties(after_, kRaceLiberties + 1) <= kRaceLiberties) return Verdict::kGood;
        return Verdict::kUnclear;
    }

    // The value of the region when the last liberty is played instead and the enemy takes at this point.
    int eyes_after_other_end(const Enclosure<N>& inside) const {
        if (before_.is_suicide(liberty_, own_)) return 2;
        B next = before_;
        next.play(liberty_, own_);
        if (!next.in_atari(liberty_) || next.atari_liberty(liberty_) != p_) return 2;
        next.play(p_, enemy_);
        return inside.eyes(next, p_);
    }

    // Three chains, five stones, that would be lost together anyway: then at least the enemy is put in atari.
    bool is_last_stand(const Enclosure<N>& inside) const {
        int heads[4], count = 0;
        for (int k = 0; k < 4; ++k) {
            const int q = liberty_ + B::kDelta[k];
            if (after_.stone(q) == own_ && std::find(heads, heads + count, after_.head(q)) == heads + count)
                heads[count++] = after_.head(q);
        }
        return count >= 3 && taken_.captured(own_) - after_.captured(own_) >= 5 && surrounders_in_atari(inside);
    }
    bool surrounders_in_atari(const Enclosure<N>& inside) const {
        for (int i = 0; i < inside.chains(); ++i)
            if (!after_.in_atari(inside.chain(i))) return false;
        return true;
    }

    // The take joins a chain in atari to one that has three liberties elsewhere: it breaks a seki.
    bool taking_rescues(const Enclosure<N>& inside) const {
        bool weak = false, strong = false;
        for (int i = 0; i < inside.chains(); ++i) {
            const int chain = inside.chain(i);
            int liberties[4], others = 0;
            const int count = after_.liberties(chain, liberties, 4);
            for (int k = 0; k < count; ++k) others += liberties[k] != liberty_;
            weak |= others == 0;
            strong |= others >= 3;
        }
        return weak && strong;
    }

    // Playing the last liberty instead would have saved the stones that were there before.
    bool escapes_instead() const {
        if (stones_ == 1 || before_.is_suicide(liberty_, own_)) return false;
        B next = before_;
        next.play(liberty_, own_);
        const bool joins = joins_outside();
        if (stones_ == 2)
            return (joins && is_edge(p_)) || next.count_liberties(liberty_, 3) >= 3 || (joins && !is_false_eye());
        return joins || next.count_liberties(liberty_, 2) >= 2;
    }
    bool joins_outside() const {
        for (int k = 0; k < 4; ++k) {
            const int q = liberty_ + B::kDelta[k];
            if (after_.stone(q) == own_ && after_.head(q) != after_.head(p_)) return true;
        }
        return false;
    }

    // A lone stone thrown into an eye that it makes false: enemy stones on its other sides and beside its liberty,
    // own stones on the far diagonals.
    bool is_throw_in() const {
        if (stones_ != 1) return false;
        const int ahead = liberty_ - p_, side = (ahead == 1 || ahead == -1) ? B::kStride : 1;
        if (after_.stone(p_ - ahead) != enemy_) return false;
        for (int turn : {side, -side}) {
            if (const int s = after_.stone(liberty_ + turn); s != enemy_ && s != kWall) return false;
            if (const int s = after_.stone(p_ - ahead + turn); s != own_ && s != kWall) return false;
        }
        return true;
    }

    // The same with a stone that was there already.
    bool is_second_throw_in() const { return stones_ == 2 && is_false_eye(); }

    bool is_false_eye() const {
        int hostile = 0;
        for (int k = 4; k < 8; ++k) hostile += after_.stone(p_ + B::kDelta[k]) == own_;
        return hostile + is_edge(p_) >= 2;
    }
    bool is_edge(int p) const {
        for (int k = 0; k < 4; ++k)
            if (after_.stone(p + B::kDelta[k]) == kWall) return true;
        return false;
    }

    // A stone in atari stretched into the corner: the enemy gains no more than he had.
    bool is_corner_descent() const {
        int walls = 0, partner = 0;
        for (int k = 0; k < 4; ++k) {
            const int q = p_ + B::kDelta[k];
            walls += after_.stone(q) == kWall;
            if (after_.stone(q) == own_) partner = q;
        }
        return stones_ == 2 && walls == 2 && before_.in_atari(partner);
    }

    const B &before_, &after_;
    int p_, own_, enemy_, liberty_, stones_;
    B taken_;
};

// A third liberty filled for nothing: whichever of the two others the enemy takes, does the last one help?
template <int N>
bool wastes_liberty(const Board<N>& before, const Board<N>& after, int p, int stone) {
    int neighbour = 0;
    for (int k = 0; k < 4; ++k) {
        const int q = p + Board<N>::kDelta[k];
        if (before.stone(q) == stone && neighbour && before.head(q) != before.head(neighbour)) return false;
        if (before.stone(q) == stone) neighbour = q;
        if (after.stone(q) == 3 - stone && after.in_atari(q) && !before.in_atari(q)) return false;
    }
    if (neighbour == 0 || before.count_liberties(neighbour, 4) != 3) return false;
    const Enclosure<N> own_space(before, p, stone);
    if (own_space.is_small() && own_space.eyes(after, p) < 2 && own_space.eyes_moving_first(before) == 2) return true;
    int liberties[2];
    after.liberties(p, liberties, 2);
    for (int i : {0, 1}) {
        const int attack = liberties[i], answer = liberties[1 - i];
        if (!after.is_legal(attack, 3 - stone)) continue;
        Board<N> next = after;
        next.play(attack, 3 - stone);
        if (!next.is_legal(answer, stone)) return true;
        const int stones = next.chain_stones(p);
        next.play(answer, stone);
        if (next.chain_stones(p) == stones + 1 && next.count_liberties(p, 2) < 2) return true;
    }
    return false;
}

}  // namespace

template <int N>
bool is_bad_self_atari(const Board<N>& board, int p, int stone) {
    if (board.is_suicide(p, stone)) return true;
    Board<N> after = board;
    after.play(p, stone);
    const int liberties = after.count_liberties(p, 3), captured = after.captured(3 - stone) - board.captured(3 - stone);
    if (liberties >= 3) return false;
    if (liberties == 2) return captured == 0 && wastes_liberty(board, after, p, stone);
    // One stone taken for three or more that are retaken at once.
    if (captured > 0) return captured == 1 && after.chain_stones(p) >= 3;
    return SelfAtari<N>(board, after, p, stone).is_bad();
}

template <int N>
bool is_snapback(const Board<N>& board, int p, int stone) {
    if (board.is_suicide(p, stone) || board.is_capture(p, stone)) return false;
    Board<N> after = board;
    after.play(p, stone);
    if (!after.in_atari(p)) return false;
    const int taker = after.atari_liberty(p);
    Board<N> taken = after;
    taken.play(taker, 3 - stone);
    return taken.in_atari(taker) && taken.chain_stones(taker) >= 2 &&
           taken.captured(stone) - after.captured(stone) == after.chain_stones(p);
}

#define TENGEN_INSTANTIATE(N)                                      \
    template bool is_bad_self_atari<N>(const Board<N>&, int, int); \
    template bool is_snapback<N>(const Board<N>&, int, int);
TENGEN_INSTANTIATE(9)
TENGEN_INSTANTIATE(13)
TENGEN_INSTANTIATE(19)
TENGEN_INSTANTIATE(25)

}  // namespace tengen::go
