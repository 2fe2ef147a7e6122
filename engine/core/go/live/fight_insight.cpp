#include "core/go/live/fight_insight.hpp"

#include <algorithm>

#include "core/go/live/insight.hpp"

namespace tengen::go {
namespace {

using reading::Side;

constexpr std::size_t kMostFights = 24, kKept = std::size_t{1} << 14;  // fights, and fates of positions of them
constexpr double kBelow = 0.25;  // of the nodes for the root, and of those of a visit, that what is below it gets
constexpr std::uint64_t kSideKey = 0x632be59bd9b4e019ULL;
constexpr int kNearRoot = 1, kNearRootShare = 4;  // plies at which a question may take so many times the nodes

Side side_of(const reading::Fight& fight, int stone) {
    return stone == fight.defender ? Side::kDefender : Side::kAttacker;
}

}  // namespace

template <int N>
void FightInsight<N>::begin(const State<N>& root, const search::Bounds& bounds, const search::StopToken& stop) {
    const mcts::InsightSettings& settings = this->settings();
    fights_.clear();
    deed_ = -1;
    nodes_ = settings.reading;
    if (const std::uint64_t visits = bounds.visits ? bounds.visits : bounds.playouts)
        nodes_ = std::min(nodes_, static_cast<double>(visits) * a_visit(root));
    is_waiting_ = nodes_ >= 1;
    if (!is_waiting_) return;
    root_ = root;
    stop_ = stop;
    has_deadline_ = bounds.seconds > 0;
    if (has_deadline_)
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(bounds.seconds * settings.reading_share));
}

template <int N>
void FightInsight<N>::prepare() {
    if (!is_waiting_) return;
    is_waiting_ = false;
    if (!reader_) {
        reader_ = std::make_unique<reading::Reader>(
            [this] { return stop_.is_stopped() || (has_deadline_ && Clock::now() >= deadline_); });
        known_.resize(kKept);
    }
    seen_.assign(static_cast<std::size_t>(root_.cells()), 0);
    round_ = 0;
    const auto all = reader_->read(root_.board(), root_.stone_to_move(), static_cast<std::uint64_t>(nodes_));
    has_deadline_ = false;
    left_ = kBelow * nodes_;
    const auto deeds = reading::Reader::best(all);
    if (!deeds.empty() && deeds[0].points >= this->settings().reading_least) deed_ = deeds[0].cell;
    for (const reading::Finding& finding : all)
        if (fights_.size() < kMostFights && (finding.fate[0] != Fate::kUnknown || finding.fate[1] != Fate::kUnknown))
            watch(finding);
}

template <int N>
void FightInsight<N>::watch(const reading::Finding& finding) {
    const auto& board = root_.board();
    const reading::Fight& fight = finding.fight;
    Watched& watched = fights_.emplace_back();
    watched.fight = fight;
    watched.target = finding.cells;
    std::vector<bool> is_in(static_cast<std::size_t>(root_.cells()));
    for (const int cell : finding.cells) is_in[static_cast<std::size_t>(cell)] = true;
    for (int node = 1; node < fight.size; ++node) {
        const auto n = static_cast<std::size_t>(node);
        is_in[fight.cell[n]] = true;
        const reading::Mask around = fight.next[n], enemies = fight.start.of(Side::kAttacker);
        if (!(around & (reading::kOutside | enemies)) && fight.empty(fight.start) & reading::bit(node))
            watched.inside.push_back(fight.cell[n]);
    }
    for (int cell = 0; cell < root_.cells(); ++cell) {
        const int p = board.point_of_cell(cell), stone = board.stone(p);
        if (is_in[static_cast<std::size_t>(cell)] || stone == kEmpty) continue;
        const bool touches =
            std::any_of(std::begin(Board<N>::kDelta), std::begin(Board<N>::kDelta) + 4, [&](int delta) {
                const int q = p + delta;
                return board.stone(q) != kWall && is_in[static_cast<std::size_t>(board.cell(q))];
            });
        if (touches) watched.rim.emplace_back(cell, stone);
    }
    const Side mover = side_of(fight, root_.stone_to_move());
    for (std::size_t i = 0; i < 2; ++i)
        if (finding.fate[i] != Fate::kUnknown)
            keep(watched, fight.start, i == 0 ? mover : other(mover), {0, finding.fate[i], finding.first[i]});
    for (const int cell : finding.moves) {  // what is known after each of them
        Position after = fight.start;
        const auto found = std::find(fight.cell.begin() + 1, fight.cell.begin() + fight.size, cell);
        if (fight.play(after, static_cast<int>(found - fight.cell.begin()), mover))
            keep(watched, after, other(mover), {0, finding.fate[0], -1});
    }
}

// The fight as it stands at a leaf; false where its target or its outside is gone.
template <int N>
bool FightInsight<N>::position(const Watched& watched, const State<N>& leaf, Position& out) const {
    const auto& board = leaf.board();
    const reading::Fight& fight = watched.fight;
    const auto stone = [&](int cell) { return board.stone(board.point_of_cell(cell)); };
    if (stone(fight.cell[0]) != fight.defender) return false;
    for (const auto& [cell, was] : watched.rim)
        if (stone(cell) != was) return false;
    out = Position();
    out.of(Side::kAttacker) = reading::bit(reading::kOutsideWall);
    out.of(Side::kDefender) = reading::bit(reading::kSafe) | reading::bit(reading::kTarget);
    const int ko = board.ko() == Board<N>::kNone ? -1 : board.cell(board.ko());
    for (int node = 1; node < fight.size; ++node) {
        const int cell = fight.cell[static_cast<std::size_t>(node)], here = stone(cell);
        if (here != kEmpty) out.of(here == fight.defender ? Side::kDefender : Side::kAttacker) |= reading::bit(node);
        if (cell == ko) {
            out.ko = static_cast<std::uint8_t>(node);
            out.ko_side = board.ko_stone() == fight.defender ? Side::kDefender : Side::kAttacker;
        }
    }
    return true;
}

template <int N>
void FightInsight<N>::keep(const Watched& watched, const Position& at, Side first, Known known) {
    known.key = watched.fight.key(at) ^ (first == Side::kDefender ? kSideKey : 0);
    known_[known.key & (kKept - 1)] = known;
}

template <int N>
typename FightInsight<N>::Known FightInsight<N>::fate(const Watched& watched, const Position& at, Side first,
                                                      int depth) {
    const std::uint64_t key = watched.fight.key(at) ^ (first == Side::kDefender ? kSideKey : 0);
    if (const Known& found = known_[key & (kKept - 1)]; found.key == key) return found;
    if (left_ < 1) return {};
    const double most = this->settings().reading_question * (depth <= kNearRoot ? kNearRootShare : 1);
    const std::uint64_t before = reader_->nodes();
    int move = -1;
    Known known;
    known.fate = reader_->fate(watched.fight, at, first, static_cast<std::uint64_t>(std::min(most, left_)), &move);
    known.move = static_cast<std::int8_t>(move);
    left_ -= static_cast<double>(reader_->nodes() - before);
    keep(watched, at, first, known);
    return known;
}

// What becomes of a fight at a leaf: it is settled, or open, or nobody knows.
template <int N>
void FightInsight<N>::ask(const Watched& watched, const Position& at, Side mover, int depth) {
    const Fate won = mover == Side::kAttacker ? Fate::kDead : Fate::kAlive;
    const Fate lost = mover == Side::kAttacker ? Fate::kAlive : Fate::kDead;
    const Known first = fate(watched, at, mover, depth);
    if (first.fate == lost) verdicts_.push_back({&watched, lost == Fate::kAlive});
    if (first.fate != won) return;
    const Known second = fate(watched, at, other(mover), depth);
    if (second.fate == won) return verdicts_.push_back({&watched, won == Fate::kAlive});
    Open& open = open_.emplace_back(Open{&watched, at, {}, {}});
    const auto m = static_cast<std::size_t>(mover);
    open.move[m] = first.move;
    open.move[1 - m] = second.move;
    open.is_won[m] = true;
    open.is_won[1 - m] = second.fate == lost;
}

// The sides decide the open fights in turn, the largest first; one move may decide several. `stone`: who begins. Returns
// the first cell, -1 where there is none.
template <int N>
int FightInsight<N>::take_turns(int stone, int depth) {
    // Where nobody knows what the other side would get, there may be nothing to decide.
    const auto weight = [](const Open& open) {
        return open.of->target.size() * (open.is_won[0] && open.is_won[1] ? 2 : 1);
    };
    std::stable_sort(open_.begin(), open_.end(), [&](const Open& a, const Open& b) { return weight(a) > weight(b); });
    int first = -1;
    bool is_first = true;
    for (Open& one : open_) {
        if (one.is_decided) continue;
        const Side side = side_of(one.of->fight, stone);
        if (!one.is_won[static_cast<std::size_t>(side)]) continue;
        one.is_decided = true;
        verdicts_.push_back({one.of, side == Side::kDefender});
        const int node = one.move[static_cast<std::size_t>(side)];
        const int cell = node < 0 ? -1 : one.of->fight.cell[static_cast<std::size_t>(node)];
        if (std::exchange(is_first, false) && stake(*one.of) >= this->settings().reading_least) first = cell;
        for (Open& next : open_) {
            if (next.is_decided || cell < 0) continue;
            const reading::Fight& fight = next.of->fight;
            const auto end = fight.cell.begin() + fight.size, found = std::find(fight.cell.begin() + 1, end, cell);
            Position after = next.at;
            const Side mover = side_of(fight, stone);
            if (found == end || !fight.play(after, static_cast<int>(found - fight.cell.begin()), mover)) continue;
            const Known known = fate(*next.of, after, other(mover), depth + 1);
            if (known.fate != Fate::kDead && known.fate != Fate::kAlive) continue;
            next.is_decided = true;
            verdicts_.push_back({next.of, known.fate == Fate::kAlive});
        }
        stone = 3 - stone;
    }
    return first;
}

// How many points what is proved is away from what the network says, + = Black's.
template <int N>
float FightInsight<N>::points(const mcts::Owners& owners) {
    ++round_;
    float sum = 0;
    const auto give = [&](const std::vector<int>& cells, const Verdict& verdict) {
        const bool is_black = (verdict.of->fight.defender == kBlack) == verdict.lives;
        const auto trust = static_cast<float>(trust_of(*verdict.of));
        for (const int cell : cells)
            if (std::exchange(seen_[static_cast<std::size_t>(cell)], round_) != round_)
                sum += (is_black ? trust : -trust) - owners(cell);
    };
    for (const Verdict& verdict : verdicts_) give(verdict.of->target, verdict);
    for (const Verdict& verdict : verdicts_) give(verdict.of->inside, verdict);
    return sum;
}

template <int N>
mcts::Correction FightInsight<N>::correct(const State<N>& leaf, int depth, const mcts::Owners& owners) {
    left_ += kBelow * a_visit(leaf);
    open_.clear();
    verdicts_.clear();
    for (const Watched& watched : fights_)
        if (Position at; position(watched, leaf, at))
            ask(watched, at, side_of(watched.fight, leaf.stone_to_move()), depth);
    const int cell = take_turns(leaf.stone_to_move(), depth);
    mcts::Correction out;
    if (cell >= 0) out.move = leaf.board().point_of_cell(cell);
    if (depth == 0 && deed_ >= 0) out.move = leaf.board().point_of_cell(deed_);
    if (!verdicts_.empty()) out.points = points(owners);
    return out;
}

template <int N>
std::unique_ptr<mcts::Insight<State<N>>> make_insight() {
    return std::make_unique<FightInsight<N>>();
}

template std::unique_ptr<mcts::Insight<State<9>>> make_insight();
template std::unique_ptr<mcts::Insight<State<13>>> make_insight();
template std::unique_ptr<mcts::Insight<State<19>>> make_insight();
template std::unique_ptr<mcts::Insight<State<25>>> make_insight();

}  // namespace tengen::go
