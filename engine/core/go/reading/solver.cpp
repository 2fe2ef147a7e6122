#include "core/go/reading/solver.hpp"

#include <algorithm>

namespace tengen::go::reading {
namespace {

constexpr std::uint64_t kDefenderKey = 0x8f3a1c5d77e2b901ULL, kFavouredKey = 0x21d9b06ae4c85f37ULL;

}  // namespace

std::uint64_t Solver::key_of(const Position& at, Side side) const {
    Position seen = at;  // a ban counts only for whom it binds now
    if (seen.ko_side != side || seen.ko_side == favoured_) seen.ko = kNoKo;
    return fight_->key(seen) ^ (side == Side::kDefender ? kDefenderKey : 0) ^
           (favoured_ == Side::kDefender ? kFavouredKey : 0);
}

const Solver::Entry* Solver::find(std::uint64_t key) const {
    const std::size_t at = key & (table_.size() - 1);
    for (std::size_t i = 0; i < 4; ++i)
        if (table_[(at & ~std::size_t{3}) + ((at + i) & 3)].key == key)
            return &table_[(at & ~std::size_t{3}) + ((at + i) & 3)];
    return nullptr;
}

void Solver::keep(std::uint64_t key, Numbers numbers) {
    const std::size_t at = key & (table_.size() - 1), base = at & ~std::size_t{3};
    const auto worth = [](const Entry& entry) {
        if (!entry.key) return std::uint64_t{0};
        return entry.won == 0 || entry.lost == 0 ? std::uint64_t{kInfinite} : std::uint64_t{entry.won} + entry.lost;
    };
    std::size_t chosen = at;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t here = base + ((at + i) & 3);
        if (table_[here].key == key) {
            chosen = here;
            break;
        }
        if (worth(table_[here]) < worth(table_[chosen])) chosen = here;
    }
    table_[chosen] = {key, numbers.won, numbers.lost};
}

// What is known of a child without a search: numbers for the side to move there.
void Solver::judge(Child& child, Side mover, int depth) const {
    const Mask open = fight_->empty(child.position);
    const bool attacked = mover == Side::kAttacker;
    const auto captured = [&] { child.won = attacked ? kInfinite : 0, child.lost = attacked ? 0 : kInfinite; };
    const auto lives = [&] { child.won = attacked ? 0 : kInfinite, child.lost = attacked ? kInfinite : 0; };
    if (!(child.position.of(Side::kDefender) & bit(kTarget))) return captured();
    const Mask chain = fight_->target(child.position), free = fight_->neighbours(chain) & open;
    if (!attacked) {
        if (chain & bit(kSafe)) return lives();
        const bool is_banned = child.position.ko != kNoKo && free == bit(child.position.ko) && favoured_ == mover;
        if (std::has_single_bit(free) && !is_banned) return captured();
        if (fight_->lives(child.position)) return lives();
    }
    for (int d = 0; d <= depth; ++d)
        if (path_[static_cast<std::size_t>(d)] == child.key) return favoured_ == Side::kAttacker ? captured() : lives();
    if (const Entry* entry = find(child.key)) {
        child.won = entry->won;
        child.lost = entry->lost;
        return;
    }
    const Numbers guess = guess_of(child.position, chain, free);  // for the attacker
    child.won = attacked ? guess.lost : guess.won;
    child.lost = attacked ? guess.won : guess.lost;
}

// How hard it is, roughly, to capture the target and to save it: what the eyes still cost, and the liberties.
Solver::Numbers Solver::guess_of(const Position& at, Mask chain, Mask free) const {
    constexpr std::uint32_t kNever = 12;
    const Mask own = at.of(Side::kDefender), enemy = at.of(Side::kAttacker), open = fight_->empty(at);
    std::uint32_t first = kNever, second = kNever, cheap = 0;
    Mask first_around = 0;
    for_each_bit(fight_->all() & ~own, [&](int node) {
        const Mask around = fight_->next[static_cast<std::size_t>(node)];
        if (around & bit(kOutsideWall)) return;
        const auto cost = static_cast<std::uint32_t>(std::popcount(around & open) + 2 * std::popcount(around & enemy) +
                                                     ((enemy >> node) & 1));
        cheap += cost <= 1;
        if (cost < first) {
            if (!(first_around & bit(node))) second = first;
            first = cost;
            first_around = around;
        } else if (cost < second && !(first_around & bit(node))) {
            second = cost;
        }
    });
    std::uint32_t way = first + second;
    if (fight_->neighbours(chain | free) & bit(kSafe)) way = std::min(way, 2u);
    const auto liberties = static_cast<std::uint32_t>(std::popcount(free));
    return {1 + liberties / 2 + cheap, 1 + std::min(way, kNever)};
}

int Solver::children(const Position& at, Side side, int depth, Child* out) const {
    int count = 0;
    const Mask open = fight_->empty(at), own = at.of(side);
    const bool is_banned = at.ko != kNoKo && at.ko_side == side && side != favoured_;
    Mask moves = is_banned ? open & ~bit(at.ko) : open;
    bool in_atari = false;
    if (side == Side::kDefender) {
        const Mask free = fight_->liberties(at, fight_->target(at));
        in_atari = std::has_single_bit(free);
    }
    for_each_bit(moves, [&](int node) {
        const Mask around = fight_->next[static_cast<std::size_t>(node)];
        if (side == Side::kDefender && !(around & ~own) &&
            fight_->connected(around & (~around + 1), own & ~kOutside) == fight_->connected(around, own & ~kOutside))
            return;  // an eye of one chain
        Child& child = out[count];
        child = Child();
        child.position = at;
        if (!fight_->play(child.position, node, side)) return;
        child.move = static_cast<std::uint8_t>(node);
        child.key = key_of(child.position, other(side));
        judge(child, side, depth);
        ++count;
    });
    if (side == Side::kDefender && !in_atari) {
        Child& child = out[count++];
        child = Child();
        child.position = at;
        child.position.ko = kNoKo;
        child.key = key_of(child.position, Side::kAttacker);
        judge(child, side, depth);
    }
    return count;
}

Solver::Numbers Solver::search(const Position& at, std::uint64_t key, Side side, Numbers bounds, int depth, int* best) {
    if ((++nodes_ & (kHaltEvery - 1)) == 0 && halt_ && halt_()) most_ = nodes_;
    if (depth >= kDeepest) {
        const bool wins = favoured_ == side;
        return {wins ? 0 : kInfinite, wins ? kInfinite : 0};
    }
    path_[static_cast<std::size_t>(depth)] = key;
    std::array<Child, 64> all;
    const int count = children(at, side, depth, all.data());
    Numbers now{kInfinite, 0};  // without a move the attacker has failed
    for (;;) {
        // Won where a child is lost for who moves there; lost where all are won. Children that share positions would
        // count these twice in a sum: the largest counts, and one for each other (weak proof numbers).
        Child* chosen = nullptr;
        std::uint32_t second = kInfinite;
        std::uint32_t most = 0, unsolved = 0;
        for (int i = 0; i < count; ++i) {
            Child& child = all[static_cast<std::size_t>(i)];
            if (child.won > most) most = child.won;
            unsolved += child.won > 0 && child.won < kInfinite;
            if (!chosen || child.lost < chosen->lost) {
                if (chosen) second = chosen->lost;
                chosen = &child;
            } else {
                second = std::min(second, child.lost);
            }
        }
        if (chosen) {
            now.won = chosen->lost;
            now.lost = now.won == 0 || most >= kInfinite ? kInfinite : most + (unsolved ? unsolved - 1 : 0);
            if (best) *best = chosen->move == kPassNode ? -1 : chosen->move;
        }
        if (now.won >= bounds.won || now.lost >= bounds.lost || now.won == 0 || now.lost == 0 || nodes_ >= most_) break;
        const std::uint32_t rest = unsolved ? unsolved - 1 : 0;
        const Numbers below{bounds.lost >= kInfinite ? kInfinite : bounds.lost - rest,
                            std::min(bounds.won, second >= kInfinite ? kInfinite : second + second / 4 + 1)};
        const Numbers found = search(chosen->position, chosen->key, other(side), below, depth + 1, nullptr);
        chosen->won = found.won;
        chosen->lost = found.lost;
    }
    keep(key, now);
    return now;
}

Answer Solver::ask(const Fight& fight, const Position& from, Side first, Side favoured, std::uint64_t most) {
    fight_ = &fight;
    favoured_ = favoured;
    nodes_ = 0;
    most_ = most;
    Answer answer;
    if (!(from.of(Side::kDefender) & bit(kTarget))) {
        answer.verdict = Verdict::kCaptured;
        return answer;
    }
    if (fight.lives(from)) {
        answer.verdict = Verdict::kLives;
        return answer;
    }
    int best = -1;
    const Numbers found = search(from, key_of(from, first), first, {kInfinite, kInfinite}, 0, &best);
    answer.nodes = nodes_;
    const bool attacks = first == Side::kAttacker;
    if (found.won == 0) answer.verdict = attacks ? Verdict::kCaptured : Verdict::kLives;
    if (found.lost == 0) answer.verdict = attacks ? Verdict::kLives : Verdict::kCaptured;
    if (found.won == 0) answer.move = best;
    return answer;
}

}  // namespace tengen::go::reading
