#include "core/go/live/insight.hpp"

#include <algorithm>

namespace tengen::go::reading {
namespace {

constexpr double kShare = 0.1, kNodesASecond = 300000;  // of the time of a run; what a slow machine reads
constexpr std::uint64_t kBelowRoot = 400;              // nodes for a position below the root
constexpr float kSure = 0.95f;                         // an owner by proof
constexpr std::size_t kMostFights = 16;

}  // namespace

template <int N>
void FightInsight<N>::begin(const State<N>& root, const search::Bounds& bounds) {
    findings_.clear();
    deed_ = -1;
    double nodes = nodes_;
    if (bounds.seconds > 0) nodes = std::min(nodes, bounds.seconds * kShare * kNodesASecond);
    if (nodes < 1) return;
    root_key_ = root.state_key();
    auto all = reader_.read(root.board(), root.stone_to_move(), static_cast<std::uint64_t>(nodes));
    const auto deeds = Reader::best(all);
    if (!deeds.empty()) deed_ = deeds[0].cell;
    for (Finding& finding : all) {
        if (findings_.size() == kMostFights) break;
        if (finding.fate[0] == Fate::kUnknown && finding.fate[1] == Fate::kUnknown) continue;
        Watched& watched = findings_.emplace_back();
        std::vector<bool> inside(static_cast<std::size_t>(root.cells()));
        for (const int cell : finding.cells) inside[static_cast<std::size_t>(cell)] = true;
        const Fight& fight = finding.fight;
        for (int node = 1; node < fight.size; ++node) inside[fight.cell[static_cast<std::size_t>(node)]] = true;
        for (int cell = 0; cell < root.cells(); ++cell) {
            const int p = root.board().point_of_cell(cell), stone = root.board().stone(p);
            if (inside[static_cast<std::size_t>(cell)] || stone == kEmpty) continue;
            for (int k = 0; k < 4; ++k) {
                const int q = p + Board<N>::kDelta[k];
                if (root.board().stone(q) == go::kWall || !inside[static_cast<std::size_t>(root.board().cell(q))]) continue;
                watched.rim.emplace_back(cell, stone);
                break;
            }
        }
        watched.finding = std::move(finding);
    }
    until_ = reader_.nodes() + static_cast<std::uint64_t>(2 * nodes);
}

// The fight as it stands at a leaf; false where its target or its outside is gone.
template <int N>
bool FightInsight<N>::position(const Watched& watched, const State<N>& leaf, Position& out) const {
    const auto& board = leaf.board();
    const Fight& fight = watched.finding.fight;
    const auto stone = [&](int cell) { return board.stone(board.point_of_cell(cell)); };
    if (stone(fight.cell[0]) != fight.defender) return false;
    for (const auto& [cell, was] : watched.rim)
        if (stone(cell) != was) return false;
    out = Position();
    out.of(Side::kAttacker) = bit(kOutsideWall);
    out.of(Side::kDefender) = bit(kSafe) | bit(kTarget);
    for (int node = 1; node < fight.size; ++node) {
        const int cell = fight.cell[static_cast<std::size_t>(node)], here = stone(cell);
        if (here != kEmpty) out.of(here == fight.defender ? Side::kDefender : Side::kAttacker) |= bit(node);
        if (board.ko() != Board<N>::kNone && board.cell(board.ko()) == cell) {
            out.ko = static_cast<std::uint8_t>(node);
            out.ko_side = board.ko_stone() == fight.defender ? Side::kDefender : Side::kAttacker;
        }
    }
    return true;
}

template <int N>
typename FightInsight<N>::Known FightInsight<N>::fate(Watched& watched, const Position& at, Side first, int depth) {
    const std::uint64_t key = watched.finding.fight.key(at) ^ (first == Side::kDefender ? 0x632be59bd9b4e019ULL : 0);
    if (const auto found = watched.known.find(key); found != watched.known.end()) return found->second;
    Known known;
    if (reader_.nodes() < until_)
        known.fate = reader_.fate(watched.finding.fight, at, first, depth <= 1 ? 4 * kBelowRoot : kBelowRoot, &known.move);
    watched.known.emplace(key, known);
    return known;
}

template <int N>
mcts::Correction FightInsight<N>::correct(const State<N>& leaf, int depth, const mcts::Owners& owners) {
    struct Open {
        float to_defender, to_attacker;  // the owners' change by the fate, in points
        std::size_t size;
        bool attacks;
        int move;
    };
    std::vector<Open> open;
    mcts::Correction out;
    const auto& board = leaf.board();
    for (Watched& watched : findings_) {
        Position at;
        if (!position(watched, leaf, at)) continue;
        const Fight& fight = watched.finding.fight;
        const bool attacks = leaf.stone_to_move() != fight.defender;
        const Side mover = attacks ? Side::kAttacker : Side::kDefender;
        const Known first = fate(watched, at, mover, depth), second = fate(watched, at, other(mover), depth);
        float sum = 0;
        for (const int cell : watched.finding.cells) sum += owners(cell);
        const float count = static_cast<float>(watched.finding.cells.size());
        const float sign = fight.defender == kBlack ? kSure : -kSure;
        const float to_defender = sign * count - sum, to_attacker = -sign * count - sum;
        const auto is = [&](Fate fate) { return first.fate == fate && second.fate == fate; };
        if (is(Fate::kAlive)) out.points += to_defender;
        if (is(Fate::kDead)) out.points += to_attacker;
        const Fate wanted = attacks ? Fate::kDead : Fate::kAlive;
        if (first.fate == wanted && second.fate != wanted) {
            const int move = first.move < 0 ? -1 : board.point_of_cell(fight.cell[static_cast<std::size_t>(first.move)]);
            open.push_back({to_defender, to_attacker, watched.finding.cells.size(), attacks, move});
        }
    }
    // Who moves gets the largest of the fights that wait, then they take turns. Chains that one move saves or takes
    // together count as one.
    std::stable_sort(open.begin(), open.end(), [](const Open& a, const Open& b) { return a.size > b.size; });
    bool is_movers = true;
    int last = -2;
    for (const Open& one : open) {
        if (last != -2 && one.move != last) is_movers = !is_movers;
        last = one.move;
        out.points += one.attacks == is_movers ? one.to_attacker : one.to_defender;
    }
    if (!open.empty()) out.move = open[0].move;
    if (depth == 0 && deed_ >= 0) out.move = board.point_of_cell(deed_);
    return out;
}

template class FightInsight<9>;
template class FightInsight<13>;
template class FightInsight<19>;
template class FightInsight<25>;

}  // namespace tengen::go::reading
