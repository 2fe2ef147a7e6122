#include "core/go/reading/reader.hpp"

#include <algorithm>
#include <map>

#include "core/go/benson.hpp"

namespace tengen::go::reading {
namespace {

constexpr std::uint64_t kForMove = 2000;       // nodes for the question whether a move decides a fight
constexpr double kOfKo = 0.5, kUnsure = 0.25;  // of the points of a fight: it is a ko; one of its fates is not known

Side side_of(const Fight& fight, int stone) { return stone == fight.defender ? Side::kDefender : Side::kAttacker; }

// Chains of so many stones or more that are neither alive whatever happens nor shapes of their own without a fight.
template <int N>
std::vector<Finding> fights_of(const Board<N>& board, int smallest) {
    std::array<PointMap<N>, 2> alive;
    for (int stone : {kBlack, kWhite}) pass_alive(board, stone, false, alive[static_cast<std::size_t>(stone - 1)]);
    std::vector<Finding> out;
    for_each_point(board, [&](int p) {
        const int stone = board.stone(p);
        if (stone == kEmpty || board.head(p) != p || board.chain_stones(p) < smallest) return;
        if (alive[0][static_cast<std::size_t>(p)] || alive[1][static_cast<std::size_t>(p)]) return;
        auto fight = make_fight(board, p, alive);
        if (!fight || fight->is_out(fight->start)) return;
        Finding& finding = out.emplace_back();
        finding.fight = *fight;
        int q = p;
        do {
            finding.cells.push_back(board.cell(q));
            q = board.next(q);
        } while (q != p);
    });
    std::stable_sort(out.begin(), out.end(),
                     [](const Finding& a, const Finding& b) { return a.cells.size() > b.cells.size(); });
    return out;
}

}  // namespace

Fate Reader::fate(const Fight& fight, const Position& at, Side first, std::uint64_t nodes, int* move) {
    const Answer dies = solver_.ask(fight, at, first, Side::kDefender, nodes);
    nodes_ += dies.nodes;
    if (move && (first == Side::kAttacker) == (dies.verdict == Verdict::kCaptured)) *move = dies.move;
    if (dies.verdict == Verdict::kCaptured) return Fate::kDead;
    const Answer lives = solver_.ask(fight, at, first, Side::kAttacker, nodes);
    nodes_ += lives.nodes;
    if (move && (first == Side::kDefender) == (lives.verdict == Verdict::kLives) && lives.move >= 0) *move = lives.move;
    if (lives.verdict == Verdict::kLives) return Fate::kAlive;
    return dies.verdict == Verdict::kLives && lives.verdict == Verdict::kCaptured ? Fate::kKo : Fate::kUnknown;
}

void Reader::settle(Finding& finding, int mover, std::uint64_t nodes) {
    const Side side = side_of(finding.fight, mover);
    const std::uint64_t before = nodes_;
    for (std::size_t i = 0; i < 2; ++i) {
        if (finding.fate[i] != Fate::kUnknown) continue;
        int move = -1;
        finding.fate[i] = fate(finding.fight, finding.fight.start, i == 0 ? side : other(side), nodes, &move);
        finding.first[i] = static_cast<std::int8_t>(move);
    }
    finding.nodes += nodes_ - before;
}

// The moves after which the other side gets no better than what moving first is worth.
void Reader::find_moves(Finding& finding, int mover, std::uint64_t until) {
    const Side side = side_of(finding.fight, mover);
    const bool attacks = side == Side::kAttacker;
    if (finding.fate[0] == Fate::kUnknown || finding.fate[0] == finding.fate[1]) return;
    if (attacks == (finding.fate[0] > finding.fate[1])) return;
    std::vector<std::pair<std::uint64_t, int>> found;
    const Fight& fight = finding.fight;
    const Position& at = fight.start;
    Mask open = fight.empty(at);
    if (at.ko != kNoKo && at.ko_side == side) open &= ~bit(at.ko);
    for_each_bit(open, [&](int node) {
        Position after = at;
        if (is_over(until) || !fight.play(after, node, side)) return;
        const std::uint64_t before = nodes_;
        const Fate got = fate(fight, after, other(side), std::min(kForMove, until - before));
        if (attacks ? got <= finding.fate[0] : got >= finding.fate[0] && got != Fate::kUnknown)
            found.emplace_back(nodes_ - before, fight.cell[static_cast<std::size_t>(node)]);
    });
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [work, cell] : found) finding.moves.push_back(cell);
}

std::vector<Deed> Reader::best(const std::vector<Finding>& findings) {
    std::map<int, std::map<int, double>> won;  // by move, by cell
    std::map<int, double> work;
    for (const Finding& finding : findings) {
        const bool has_ko = finding.fate[0] == Fate::kKo || finding.fate[1] == Fate::kKo;
        const bool is_sure = finding.fate[0] != Fate::kUnknown && finding.fate[1] != Fate::kUnknown;
        const double share = (has_ko ? kOfKo : 1) * (is_sure ? 1 : kUnsure);
        for (std::size_t i = 0; i < finding.moves.size(); ++i) {
            auto& cells = won[finding.moves[i]];
            for (const int cell : finding.cells) cells[cell] = std::max(cells[cell], 2 * share);
            for_each_bit(finding.fight.empty(finding.fight.start), [&](int node) {
                if (finding.fight.next[static_cast<std::size_t>(node)] & kOutside) return;
                double& here = cells[finding.fight.cell[static_cast<std::size_t>(node)]];
                here = std::max(here, share);
            });
            work[finding.moves[i]] += 0.01 * static_cast<double>(i);
        }
    }
    std::vector<Deed> out;
    for (const auto& [move, cells] : won) {
        Deed deed{move, -work[move]};
        for (const auto& [cell, points] : cells) deed.points += points;
        out.push_back(deed);
    }
    std::stable_sort(out.begin(), out.end(), [](const Deed& a, const Deed& b) { return a.points > b.points; });
    return out;
}

template <int N>
std::vector<Finding> Reader::read(const Board<N>& board, int mover, std::uint64_t nodes, int smallest) {
    std::vector<Finding> all = fights_of(board, smallest);
    const std::uint64_t until = nodes_ + nodes;
    std::uint64_t share = 500;
    for (bool open = true; open && !is_over(until); share *= 4) {
        open = false;
        for (Finding& finding : all) {
            if (is_over(until)) break;
            if (finding.fate[0] != Fate::kUnknown && finding.fate[1] != Fate::kUnknown) continue;
            settle(finding, mover, std::min(share, until - nodes_));
            open |= finding.fate[0] == Fate::kUnknown || finding.fate[1] == Fate::kUnknown;
        }
    }
    const std::uint64_t last = nodes_ + nodes / 2;
    for (Finding& finding : all)
        if (!is_over(last)) find_moves(finding, mover, last);
    return all;
}

template std::vector<Finding> Reader::read(const Board<9>&, int, std::uint64_t, int);
template std::vector<Finding> Reader::read(const Board<13>&, int, std::uint64_t, int);
template std::vector<Finding> Reader::read(const Board<19>&, int, std::uint64_t, int);
template std::vector<Finding> Reader::read(const Board<25>&, int, std::uint64_t, int);

}  // namespace tengen::go::reading
