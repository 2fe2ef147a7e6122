// Claims of wins at Gomoku, replayed: the winner moves as the search of continuous fours says, the loser plays every
// legal move there is, and a plain board judges (naive_gomoku.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/gomoku/four_search.hpp"
#include "naive_gomoku.hpp"

namespace nb = nanobind;
using namespace tengen::gomoku;

namespace {

// Replays on boards of one size and rule. A position is its stones, a byte a cell, and who is to move (0 black).
class Replay {
public:
    Replay(int width, int height, int rule, int positions)
        : board_{width, height, static_cast<naive::Rule>(rule), {}},
          rule_(static_cast<Rule>(rule)),
          positions_(positions) {}

    // The first move of a win by fours that the search claims, -1: none; and whether it stands every defence.
    std::pair<int, bool> fours(const nb::bytes& stones, int to_move) {
        set(stones);
        const int move = claim(to_move);
        return {move, move >= 0 && stands(to_move, move)};
    }

    // The legal moves of the side to move after which the enemy has no five and no win by fours that stands.
    std::vector<int> defences(const nb::bytes& stones, int to_move) {
        set(stones);
        std::vector<int> found;
        const naive::Cells fives = fives_of(to_move ^ 1);
        for (int cell = 0; cell < board_.size(); ++cell)
            if (!board_[cell] && !falls(to_move, cell, fives)) found.push_back(cell);
        return found;
    }

    std::string foul(const nb::bytes& stones, int cell) {
        set(stones);
        return board_.foul(cell);
    }
    std::vector<int> wins(const nb::bytes& stones, int colour) {
        set(stones);
        return fives_of(colour);
    }

    int claims = 0;       // wins by fours that were claimed and replayed
    int wrong = 0;        // those of them that did not stand
    std::string refuted;  // the last of these: the moves, as dense cells

private:
    void set(const nb::bytes& stones) {
        board_.grid.assign(stones.c_str(), stones.c_str() + stones.size());
        played_.clear();
    }
    naive::Cells fives_of(int colour) {
        naive::Cells found;
        for (int cell = 0; cell < board_.size(); ++cell)
            if (!board_[cell] && board_.wins_if(cell, colour + 1)) found.push_back(cell);
        return found;
    }

    // What the search of fours plays for `colour`, -1: nothing.
    int claim(int colour) {
        return with_capacity(board_.width, board_.height, [&](auto capacity) {
            constexpr int N = capacity();
            State<kLargest> state(board_.width, board_.height, rule_);
            for (int cell = 0; cell < board_.size(); ++cell)
                if (board_[cell]) state.put(state.from_dense(cell), board_[cell] - 1);
            state.finish(-1, state.stones(), colour);
            auto& search = [&]() -> FourSearch<N>& {
                if constexpr (N == 15)
                    return small_;
                else
                    return large_;
            }();
            const TacticalState<N> tactical(state);
            const int move = search.winning_move(tactical, positions_);
            return move < 0 ? -1 : tactical.to_dense(move);
        });
    }

    // Whether `colour` wins by this move of the search and those that follow.
    bool stands(int colour, int move) {
        ++claims;
        if (wins_by(colour, move)) return true;
        ++wrong;
        return false;
    }
    bool wins_by(int colour, int move) {
        if (board_[move] || !board_.is_allowed(move, colour + 1)) return refute(move);
        if (board_.wins_if(move, colour + 1)) return true;
        put(colour, move);
        const naive::Cells fives = fives_of(colour);
        bool wins = true, is_answered = false;
        for (int cell = 0; wins && cell < board_.size(); ++cell)
            if (!board_[cell]) wins = is_beaten(colour ^ 1, cell, fives, is_answered);
        if (wins && !is_answered) wins = refute(-1);  // nothing left to play: a draw
        take();
        return wins;
    }
    // Whether a defence loses: an illegal one is none. is_answered: made true by a legal one.
    bool is_beaten(int defender, int cell, const naive::Cells& fives, bool& is_answered) {
        if (board_.wins_if(cell, defender + 1)) return refute(cell);
        if (is_answered && has_five(defender, cell, fives)) return true;
        if (!board_.is_allowed(cell, defender + 1)) return true;
        is_answered = true;
        if (has_five(defender, cell, fives)) return true;
        put(defender, cell);
        const int next = claim(defender ^ 1);
        const bool wins = next >= 0 ? wins_by(defender ^ 1, next) : refute(-1);
        take();
        return wins;
    }
    // Whether one of the fives is left after a defence.
    bool has_five(int defender, int cell, const naive::Cells& fives) {
        board_[cell] = defender + 1;
        const bool has = std::any_of(fives.begin(), fives.end(), [&](int five) {
            return five != cell && board_.wins_if(five, (defender ^ 1) + 1);
        });
        board_[cell] = naive::kEmpty;
        return has;
    }
    // The same for a move of no four: the enemy needs a five, or to claim a win by fours that stands.
    bool falls(int defender, int cell, const naive::Cells& fives) {
        if (board_.wins_if(cell, defender + 1)) return false;
        if (!board_.is_allowed(cell, defender + 1) || has_five(defender, cell, fives)) return true;
        put(defender, cell);
        const int next = claim(defender ^ 1);
        const bool wins = next >= 0 && stands(defender ^ 1, next);
        take();
        return wins;
    }

    void put(int colour, int cell) {
        board_[cell] = colour + 1;
        played_.push_back(cell);
    }
    void take() {
        board_[played_.back()] = naive::kEmpty;
        played_.pop_back();
    }
    bool refute(int cell) {
        refuted.clear();
        for (int move : played_) refuted += std::to_string(move) + ' ';
        refuted += std::to_string(cell);
        return false;
    }

    naive::Board board_;
    Rule rule_;
    int positions_;
    naive::Cells played_;
    FourSearch<15> small_;
    FourSearch<25> large_;
};

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<Replay>(module, "Replay")
        .def(nb::init<int, int, int, int>(), nb::arg("width"), nb::arg("height"), nb::arg("rule"), nb::arg("positions"))
        .def("fours", &Replay::fours, nb::arg("stones"), nb::arg("to_move"))
        .def("defences", &Replay::defences, nb::arg("stones"), nb::arg("to_move"))
        .def("foul", &Replay::foul, nb::arg("stones"), nb::arg("cell"))
        .def("wins", &Replay::wins, nb::arg("stones"), nb::arg("colour"))
        .def_ro("claims", &Replay::claims)
        .def_ro("wrong", &Replay::wrong)
        .def_ro("refuted", &Replay::refuted);
}
