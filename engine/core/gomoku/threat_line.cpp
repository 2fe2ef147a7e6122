#include "core/gomoku/threat_line.hpp"

#include <algorithm>

#include "core/gomoku/vct.hpp"

namespace tengen::gomoku {
namespace {

template <int N>
class Teller {
public:
    Teller(const State<kLargest>& state, int positions) : board_(state), left_(positions) {}

    ThreatLine tell() {
        while (!board_.is_terminal()) {
            const int move = attack();
            if (move < 0) return {};
            play(move, name(move));
            if (board_.is_terminal()) break;
            const Reply reply = defend();
            if (reply == Reply::kEscapes) return {};
            if (reply == Reply::kNone) break;
        }
        return line_;
    }

private:
    using Board = LineBoard<N>;
    static constexpr int kMostMoves = 240;  // of both sides
    enum class Reply : std::uint8_t { kPlayed, kNone, kEscapes };

    void play(int move, Threat threat) {
        line_.push_back({board_.to_dense(move), threat});
        typename Board::Undo undo;
        board_.play(move, undo);
    }

    // What a move of the side to move makes.
    Threat name(int move) {
        const int me = board_.to_move();
        const Threat threat = board_.threat(move, me);
        if (threat != Threat::kSuspect) return threat;
        typename Board::Undo undo;
        board_.play(move, undo);
        const bool is_four = board_.has(Threat::kFive, me);
        board_.undo(move, undo);
        return is_four ? Threat::kFour : Threat::kThree;
    }

    // In how many plies the side to move wins, and by which move; 0: not found.
    int solve(int& move) {
        const int me = board_.to_move();
        if (board_.has(Threat::kFive, me)) {
            move = board_.cells_with(Threat::kFive, me).first();
            return 1;
        }
        if (left_ <= 0) return 0;
        const int plies = fours_.solve(board_, left_);
        left_ -= static_cast<int>(fours_.take_nodes());
        move = fours_.move();
        if (plies || left_ <= 0) return plies;
        const int longer = threes_.solve(board_, fours_, left_, is_over_);
        move = threes_.move();
        if (longer && !is_replayed_ && !threes_.replay(board_, fours_, left_, is_over_)) return 0;
        is_replayed_ |= longer != 0;
        return longer;
    }

    int attack() {
        int move = -1;
        return line_.size() <= kMostMoves && solve(move) ? move : -1;
    }

    Reply defend() {
        const int me = board_.to_move(), attacker = me ^ 1;
        CellList<N> replies;
        if (board_.has(Threat::kFive, attacker)) {
            add_five_blocks(board_, me, replies);
            if (!replies.size()) return give_up();
        } else if (!add_refutations(replies)) {
            return Reply::kEscapes;
        }
        int longest = 0, best = -1;
        for (int i = 0; i < replies.size(); ++i) {
            typename Board::Undo undo;
            int move = -1;
            board_.play(replies[i], undo);
            const int plies = solve(move);
            board_.undo(replies[i], undo);
            if (!plies) return Reply::kEscapes;
            if (plies > longest) {
                longest = plies;
                best = replies[i];
            }
        }
        if (best < 0) return Reply::kNone;
        play(best, Threat::kNothing);
        return Reply::kPlayed;
    }

    // Two fives, or one that may not be stopped: one of them is stopped, for the look of it.
    Reply give_up() {
        const int me = board_.to_move();
        int reply = -1;
        board_.cells_with(Threat::kFive, me ^ 1).any([&](int five) {
            if (board_.is_allowed(five, me)) reply = five;
            return reply >= 0;
        });
        if (reply < 0) return Reply::kNone;
        play(reply, Threat::kNothing);
        return Reply::kPlayed;
    }

    // What could stop the win by fours that threatens; false: nothing does threaten.
    bool add_refutations(CellList<N>& out) {
        const int me = board_.to_move();
        typename Board::Cells zone;
        board_.set_to_move(me ^ 1);
        const bool threatens = left_ > 0 && fours_.solve(board_, left_) && fours_.refutations(board_, zone);
        left_ -= static_cast<int>(fours_.take_nodes());
        board_.set_to_move(me);
        if (!threatens) return false;
        zone.any([&](int cell) {
            if (board_.is_empty(cell) && board_.is_allowed(cell, me)) out.add(cell);
            return false;
        });
        if (!out.size()) add_fours(board_, me, out);
        return true;
    }

    Board board_;
    Vcf<N> fours_{kMostMoves / 2};
    Vct<N> threes_;
    ThreatLine line_;
    int left_;
    bool is_replayed_ = false;
    const typename Vct<N>::IsOver is_over_ = [this](std::uint64_t more) {
        left_ -= static_cast<int>(more);
        return left_ <= 0;
    };
};

}  // namespace

ThreatLine threat_line(const State<kLargest>& state, int positions) {
    return with_capacity(state.width(), state.height(),
                         [&](auto capacity) { return Teller<decltype(capacity)::value>(state, positions).tell(); });
}

}  // namespace tengen::gomoku
