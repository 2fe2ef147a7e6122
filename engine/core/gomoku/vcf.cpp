#include "core/gomoku/vcf.hpp"

#include <algorithm>

namespace tengen::gomoku {
namespace {

constexpr std::size_t kEntries = std::size_t{1} << 15;
constexpr std::array<Threat, 4> kFours = {Threat::kOpenFour, Threat::kFourThree, Threat::kSuspect, Threat::kFour};

// Calls f(cell) for the empty cells in reach of a cell in one direction.
template <int N, class F>
void for_line(const LineBoard<N>& board, int cell, int direction, F f) {
    using L = Lanes<N>;
    const Place place = L::place(board.width(), board.height(), cell, direction);
    for (int k = std::max(-kReach, place.low - place.bit); k <= std::min(kReach, place.high - 1 - place.bit); ++k) {
        const int at = cell + k * L::kStep[static_cast<std::size_t>(direction)];
        if (k != 0 && board.is_empty(at)) f(at, k);
    }
}

// The cells on which `colour` makes a five, and in caro those that stop it at its ends.
template <int N, class Cells>
void add_fives(const LineBoard<N>& board, int colour, Cells& out) {
    board.cells_with(Threat::kFive, colour).any([&](int five) {
        out.add(five);
        if (is_caro(board.rule()))
            for (int direction = 0; direction < kDirections; ++direction)
                if (board.shape(five, colour, direction) == Shape::kFive)
                    for_line(board, five, direction, [&](int at, int) { out.add(at); });
        return false;
    });
}

// The cells on which an enemy stone takes the open four off a cell.
template <int N, class Cells>
void add_spoilers(const LineBoard<N>& board, int cell, int colour, Cells& out) {
    out.add(cell);
    for (int direction = 0; direction < kDirections; ++direction) {
        const Shape shape = board.shape(cell, colour, direction);
        if (!is_four(shape)) continue;
        const bool is_crossing = shape == Shape::kFour;  // one of two fours: any stone that ends it
        for_line(board, cell, direction, [&](int at, int offset) {
            if (is_crossing || board.spoils(cell, colour, direction, offset)) out.add(at);
        });
    }
}

}  // namespace

template <int N>
int Vcf<N>::solve(Board& board, int positions) {
    if (table_.empty()) table_.resize(kEntries);
    left_ = positions;
    const Found found = search(board, 0);
    move_ = found.move;
    return found.outcome == Outcome::won ? found.plies : 0;
}

// What is seen at once; `forced`: the cell where the enemy's five has to be stopped.
template <int N>
auto Vcf<N>::look(const Board& board, int& forced) const -> Found {
    const int me = board.to_move(), enemy = me ^ 1;
    if (board.has(Threat::kFive, me)) return {Outcome::won, board.cells_with(Threat::kFive, me).first(), 1};
    if (const int fives = board.count(Threat::kFive, enemy)) {
        if (fives > 1 || is_caro(board.rule())) return {};
        const int five = board.cells_with(Threat::kFive, enemy).first();
        if (!board.worth(five, me).has_four || !board.is_allowed(five, me)) return {};
        forced = five;
        return {Outcome::unknown, -1, 0};
    }
    if (board.has(Threat::kOpenFour, me)) return {Outcome::won, board.cells_with(Threat::kOpenFour, me).first(), 3};
    return board.has_fours(me) ? Found{Outcome::unknown, -1, 0} : Found{};
}

// The cells on which the side to move makes a four, most promising first.
template <int N>
int Vcf<N>::fours(const Board& board, int* out) const {
    const int me = board.to_move();
    int count = 0;
    for (const Threat threat : kFours) {
        if (!board.has(threat, me)) continue;
        board.cells_with(threat, me).any([&](int cell) {
            if (threat == Threat::kSuspect && (!board.worth(cell, me).has_four || !board.is_allowed(cell, me)))
                return false;
            out[count++] = cell;
            return count == kMostFours;
        });
    }
    return count;
}

template <int N>
auto Vcf<N>::search(Board& board, int depth) -> Found {
    int forced = -1;
    if (const Found seen = look(board, forced); seen.outcome != Outcome::unknown) return seen;
    if (depth >= most_fours_ || --left_ < 0) return {Outcome::unknown, -1, 0};
    ++nodes_;
    const std::uint64_t key = board.state_key();
    const Entry& entry = table_[key & (kEntries - 1)];
    std::array<int, kMostFours> moves;
    int count = 0;
    if (entry.key == key) {
        if (entry.plies) return {Outcome::won, entry.move, entry.plies};
        if (entry.tried > left_) return {entry.tried == kEverywhere ? Outcome::lost : Outcome::unknown, -1, 0};
    }
    if (forced >= 0)
        moves[static_cast<std::size_t>(count++)] = forced;
    else
        count = fours(board, moves.data());
    const int before = left_;
    Found found{count == kMostFours ? Outcome::unknown : Outcome::lost, -1, 0};
    for (int i = 0; i < count; ++i) {
        const Found next = after(board, moves[static_cast<std::size_t>(i)], depth);
        if (next.outcome == Outcome::won) {
            found = next;
            break;
        }
        if (next.outcome == Outcome::unknown) found.outcome = Outcome::unknown;
    }
    table_[key & (kEntries - 1)] = {key, found.outcome == Outcome::lost ? kEverywhere : before + 1,
                                    static_cast<std::int16_t>(found.move), static_cast<std::int16_t>(found.plies)};
    return found;
}

// The four is played: it wins if every answer loses.
template <int N>
auto Vcf<N>::after(Board& board, int four, int depth) -> Found {
    const int me = board.to_move(), enemy = me ^ 1;
    typename Board::Undo undo;
    board.play(four, undo);
    Found found;
    if (board.has(Threat::kFive, me) && !board.has(Threat::kFive, enemy)) {
        found = {Outcome::won, four, 3};
        const auto answer = [&](int block) {
            typename Board::Undo undo_block;
            board.play(block, undo_block);
            const Found next = search(board, depth + 1);
            board.undo(block, undo_block);
            if (next.outcome == Outcome::won)
                found.plies = std::max(found.plies, next.plies + 2);
            else
                found = {next.outcome, -1, 0};
            return next.outcome == Outcome::won;
        };
        if (is_caro(board.rule())) {
            CellList<N> blocks;
            add_five_blocks(board, enemy, blocks);
            for (int i = 0; i < blocks.size() && answer(blocks[i]); ++i) {
            }
        } else if (board.count(Threat::kFive, me) == 1) {
            const int block = board.cells_with(Threat::kFive, me).first();
            if (board.is_allowed(block, enemy)) answer(block);
        }
    }
    board.undo(four, undo);
    return found;
}

template <int N>
bool Vcf<N>::refutations(Board& board, Cells& out) {
    return collect(board, out, 0);
}

template <int N>
bool Vcf<N>::collect(Board& board, Cells& out, int depth) {
    const int me = board.to_move();
    int forced = -1;
    Found found = look(board, forced);
    if (found.outcome == Outcome::lost || depth > most_fours_) return false;
    if (found.plies == 1) {
        add_fives(board, me, out);
        return true;
    }
    if (found.plies == 3) {
        add_spoilers(board, found.move, me, out);
        return true;
    }
    const std::uint64_t key = board.state_key();
    const Entry& entry = table_[key & (kEntries - 1)];
    if (entry.key == key && entry.plies) {
        found = {Outcome::won, entry.move, entry.plies};
    } else {
        left_ = 4096;  // what was known was overwritten
        found = search(board, depth);
        if (found.outcome != Outcome::won) return false;
    }
    if (board.threat(found.move, me) == Threat::kSuspect) return false;  // a stone may decide whether it is forbidden
    out.add(found.move);
    typename Board::Undo undo;
    board.play(found.move, undo);
    add_fives(board, me, out);
    const bool is_whole = collect_answers(board, out, depth);
    board.undo(found.move, undo);
    return is_whole;
}

// After a four: what could stop the win against each answer, or gives an answer a five to threaten.
template <int N>
bool Vcf<N>::collect_answers(Board& board, Cells& out, int depth) {
    const int me = board.to_move(), attacker = me ^ 1;
    CellList<N> blocks;
    if (is_caro(board.rule()))
        add_five_blocks(board, me, blocks);
    else if (board.count(Threat::kFive, attacker) == 1)
        blocks.add(board.cells_with(Threat::kFive, attacker).first());
    for (int i = 0; i < blocks.size(); ++i) {
        if (!board.is_allowed(blocks[i], me)) return false;  // a stone may make it allowed
        typename Board::Undo undo;
        board.play(blocks[i], undo);
        for (const Threat threat : kFours)
            board.cells_with(threat, me).any([&](int cell) {
                out.add(cell);
                return false;
            });
        const bool is_whole = collect(board, out, depth + 1);
        board.undo(blocks[i], undo);
        if (!is_whole) return false;
    }
    return true;
}

template class Vcf<15>;
template class Vcf<25>;

}  // namespace tengen::gomoku
