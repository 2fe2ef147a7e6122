#include "core/gomoku/vct.hpp"

#include <algorithm>

namespace tengen::gomoku {
namespace {

constexpr std::size_t kEntries = std::size_t{1} << 14;
constexpr std::array<Threat, 5> kThreatMoves = {Threat::kFourThree, Threat::kDoubleThree, Threat::kSuspect,
                                                Threat::kThree, Threat::kFour};

}  // namespace

template <int N>
void Vct<N>::begin(Vcf<N>& fours, int positions, const IsOver& is_over) {
    if (table_.empty()) table_.resize(kEntries);
    fours_ = &fours;
    is_over_ = &is_over;
    left_ = positions;
    is_stopped_ = false;
    fours.take_nodes();
}

template <int N>
int Vct<N>::solve(Board& board, Vcf<N>& fours, int positions, const IsOver& is_over) {
    begin(fours, positions, is_over);
    if (const Entry& known = entry(board); known.key == board.state_key() && known.tried >= positions) return 0;
    for (int depth = 1; depth <= kMostThreats && !is_stopped_ && left_ >= 0; ++depth) {
        is_cut_ = false;
        if (const Found found = attack(board, depth, 0)) {
            move_ = found.move;
            return found.plies;
        }
        if (!is_cut_) break;
    }
    if (!is_stopped_) {
        Entry& known = entry(board);
        if (known.key != board.state_key()) known = {board.state_key()};
        known.tried = positions;
    }
    return 0;
}

template <int N>
bool Vct<N>::replay(Board& board, Vcf<N>& fours, int positions, const IsOver& is_over) {
    begin(fours, positions, is_over);
    return is_win(board, 0);
}

// Counts a position; whether the search has to end.
template <int N>
bool Vct<N>::is_out() {
    const std::uint64_t more = 1 + fours_->take_nodes();
    left_ -= static_cast<int>(more);
    untold_ += more;
    if (untold_ >= kTold) is_stopped_ |= (*is_over_)(std::exchange(untold_, 0));
    return left_ < 0 || is_stopped_;
}

// The side to move attacks, by so many threats at most.
template <int N>
auto Vct<N>::attack(Board& board, int threats, int ply) -> Found {
    const int me = board.to_move(), enemy = me ^ 1;
    if (board.has(Threat::kFive, me)) return {board.cells_with(Threat::kFive, me).first(), 1};
    if (is_out() || ply >= kMaxPly) return {};
    if (board.has(Threat::kFive, enemy)) {  // stopped first, if that goes on with the attack
        if (board.count(Threat::kFive, enemy) > 1 || is_caro(board.rule())) return {};
        const int five = board.cells_with(Threat::kFive, enemy).first();
        return board.is_allowed(five, me) ? after(board, five, threats, ply) : Found{};
    }
    if (board.has(Threat::kOpenFour, me)) return {board.cells_with(Threat::kOpenFour, me).first(), 3};
    const std::uint64_t key = board.state_key();
    if (const Entry& known = entry(board); known.key == key) {
        if (known.plies) return {known.move, known.plies};
        if (known.is_whole) return {};
        if (known.failed >= threats) {
            is_cut_ = true;
            return {};
        }
    }
    Found found;
    if (const int plies = board.has_fours(me) ? fours_->solve(board, kFours) : 0) found = {fours_->move(), plies};
    const bool was_cut = std::exchange(is_cut_, false);
    if (!found) {
        std::array<int, kMostMoves> moves;
        const int count = this->threats(board, moves.data());
        if (threats == 0) {
            is_cut_ = was_cut || count > 0;
            return {};
        }
        for (int i = 0; i < count && !found && left_ >= 0 && !is_stopped_; ++i)
            found = after(board, moves[static_cast<std::size_t>(i)], threats - 1, ply);
    }
    if (found || (left_ >= 0 && !is_stopped_))
        entry(board) = {key,
                        0,
                        static_cast<std::int16_t>(found.move),
                        static_cast<std::int16_t>(found.plies),
                        static_cast<std::int8_t>(threats),
                        !found && !is_cut_};
    is_cut_ |= was_cut;
    return found;
}

// The moves that may threaten, most promising first.
template <int N>
int Vct<N>::threats(const Board& board, int* out) const {
    const int me = board.to_move();
    int count = 0;
    for (const Threat threat : kThreatMoves) {
        if (!board.has(threat, me)) continue;
        const int from = count;
        board.cells_with(threat, me).any([&](int cell) {
            if (threat != Threat::kSuspect || board.is_allowed(cell, me)) out[count++] = cell;
            return count == kMostMoves;
        });
        std::sort(out + from, out + count,
                  [&](int a, int b) { return board.promise(a, me).attack > board.promise(b, me).attack; });
        if (count == kMostMoves) break;
    }
    return count;
}

// The attacker's move is played: it wins if every reply loses.
template <int N>
auto Vct<N>::after(Board& board, int move, int threats, int ply) -> Found {
    const int me = board.to_move();
    typename Board::Undo undo;
    board.play(move, undo);
    int plies = 0;
    if (!board.has(Threat::kFive, me ^ 1)) plies = defend(board, threats, ply + 1);
    board.undo(move, undo);
    return plies ? Found{move, plies + 1} : Found{};
}

// In how many plies the side to move loses, whatever it plays; 0: it may not, or nothing forces it.
template <int N>
int Vct<N>::defend(Board& board, int threats, int ply) {
    const int me = board.to_move(), attacker = me ^ 1;
    std::array<int, static_cast<std::size_t>(N * N)> moves;
    int count = 0, most = 2;
    if (board.has(Threat::kFive, attacker)) {
        count = answers_to_five(board, moves.data());
    } else {
        board.set_to_move(attacker);
        Cells zone;
        most = board.has_fours(attacker) ? fours_->solve(board, kFours) : 0;
        const bool is_whole = most && fours_->refutations(board, zone);
        board.set_to_move(me);
        if (!is_whole) return 0;
        ++most;
        count = replies(board, zone, moves.data());
        if (count > kMostReplies) return 0;
    }
    for (int i = 0; i < count; ++i) {
        const int move = moves[static_cast<std::size_t>(i)];
        typename Board::Undo undo;
        board.play(move, undo);
        const Found found = attack(board, threats, ply + 1);
        board.undo(move, undo);
        if (!found) return 0;
        most = std::max(most, found.plies + 1);
    }
    return most;
}

template <int N>
int Vct<N>::answers_to_five(const Board& board, int* out) const {
    const int me = board.to_move();
    CellList<N> blocks;
    add_five_blocks(board, me, blocks);
    for (int i = 0; i < blocks.size(); ++i) out[i] = blocks[i];
    return blocks.size();
}

// The enemy's fours, then what could stop the threat.
template <int N>
int Vct<N>::replies(Board& board, const Cells& zone, int* out) const {
    const int me = board.to_move();
    CellList<N> list;
    add_fours(board, me, list);
    const int fours = list.size();
    zone.any([&](int cell) {
        if (board.is_empty(cell) && board.is_allowed(cell, me)) list.add(cell);
        return false;
    });
    for (int i = 0; i < list.size(); ++i) out[i] = list[i];
    std::sort(out + fours, out + list.size(), [&](int a, int b) {
        return board.promise(a, me).attack + board.promise(a, me ^ 1).defence >
               board.promise(b, me).attack + board.promise(b, me ^ 1).defence;
    });
    return list.size();
}

// Replays a win of the side to move.
template <int N>
bool Vct<N>::is_win(Board& board, int ply) {
    const int me = board.to_move(), enemy = me ^ 1;
    if (board.has(Threat::kFive, me)) return true;
    if (is_out() || ply >= kMaxPly) return false;
    int move = -1;
    if (board.has(Threat::kFive, enemy)) {
        if (board.count(Threat::kFive, enemy) > 1 || is_caro(board.rule())) return false;
        move = board.cells_with(Threat::kFive, enemy).first();
        if (!board.is_allowed(move, me)) return false;
    } else {
        if (board.has(Threat::kOpenFour, me)) return true;
        if (board.has_fours(me) && fours_->solve(board, kFoursOfReply)) return true;
        if (const Entry& known = entry(board); known.key == board.state_key() && known.plies) move = known.move;
        if (move < 0) {
            move = attack(board, kMostThreats, ply).move;
            if (move < 0) return false;
        }
    }
    typename Board::Undo undo;
    board.play(move, undo);
    const bool holds = !board.has(Threat::kFive, enemy) && is_loss(board, ply + 1);
    board.undo(move, undo);
    return holds;
}

// Whether every legal reply of the side to move loses.
template <int N>
bool Vct<N>::is_loss(Board& board, int ply) {
    const int me = board.to_move();
    std::array<int, static_cast<std::size_t>(N * N)> moves;
    int count = 0;
    if (board.has(Threat::kFive, me ^ 1)) {
        count = answers_to_five(board, moves.data());
    } else {
        any_empty(board, [&](int cell) {
            if (board.is_allowed(cell, me)) moves[static_cast<std::size_t>(count++)] = cell;
            return false;
        });
        if (count == 0) return false;
    }
    for (int i = 0; i < count; ++i) {
        typename Board::Undo undo;
        const int move = moves[static_cast<std::size_t>(i)];
        board.play(move, undo);
        const bool holds = is_win(board, ply + 1);
        board.undo(move, undo);
        if (!holds) return false;
    }
    return true;
}

template class Vct<15>;
template class Vct<25>;

}  // namespace tengen::gomoku
