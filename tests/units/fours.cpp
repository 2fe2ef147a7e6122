// Gomoku's board and search of continuous fours, next to the plain search that copies a whole position for each move.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/gomoku/four_search.hpp"
#include "core/gomoku/tactics.hpp"

namespace nb = nanobind;
using namespace tengen::gomoku;

namespace {

// What FourSearch is to find: the same moves in the same order, but every position is a copy.
template <int N>
class PlainFourSearch {
public:
    int winning_move(const TacticalState<N>& state, int positions) {
        left_ = positions;
        return solve(state, 0);
    }
    int left() const { return left_; }

private:
    static constexpr std::uint64_t kEntries = 1 << 12;
    using S = TacticalState<N>;

    int solve(const S& state, int depth) {
        const int me = state.to_move(), enemy = me ^ 1;
        if (state.count(Threat::kFive, me)) return state.cells_with(Threat::kFive, me).first();
        CellList<N> fours;
        if (const int fives = state.count(Threat::kFive, enemy)) {
            const int forced = state.cells_with(Threat::kFive, enemy).first();
            if (fives > 1 || is_caro(state.rule()) || !is_four_on(state, forced)) return -1;
            fours.add(forced);
        } else if (state.count(Threat::kOpenFour, me)) {
            return state.cells_with(Threat::kOpenFour, me).first();
        } else if (!state.count(Threat::kFour, me) && !state.count(Threat::kFourThree, me) &&
                   !state.count(Threat::kSuspect, me)) {
            return -1;
        } else {
            add_fours(state, me, fours);
        }
        if (depth >= FourSearch<N>::kMaxDepth || --left_ < 0) return -1;
        const std::uint64_t key = state.state_key();
        auto& entry = table_[key % kEntries];
        if (entry.first == key) return entry.second;
        int found = -1;
        for (int i = 0; i < fours.size() && found < 0 && left_ >= 0; ++i)
            if (wins_after(state, fours[i], depth)) found = fours[i];
        if (found >= 0 || left_ >= 0) entry = {key, found};
        return found;
    }

    static bool is_four_on(const S& state, int cell) {
        bool is = false;
        for (int direction = 0; direction < kDirections; ++direction)
            is |= is_four(state.shape(cell, state.to_move(), direction));
        return is && state.is_allowed(cell, state.to_move());
    }

    bool wins_after(const S& state, int four, int depth) {
        const int me = state.to_move(), enemy = me ^ 1;
        S next = state;
        next.play(four);
        if (!next.count(Threat::kFive, me) || next.count(Threat::kFive, enemy)) return false;
        for (int block : blocks(next)) {
            S after = next;
            after.play(block);
            if (solve(after, depth + 1) < 0) return false;
        }
        return true;
    }

    // What leaves the enemy without a five: its cell, in caro also cells along the lines it is on.
    static std::vector<int> blocks(const S& state) {
        const int me = state.to_move();
        const int five = state.cells_with(Threat::kFive, me ^ 1).first();
        std::vector<int> cells = {five};
        for (int direction = 0; is_caro(state.rule()) && direction < kDirections; ++direction) {
            const Place place = Lanes<N>::place(state.width(), state.height(), five, direction);
            const int step = Lanes<N>::kStep[static_cast<std::size_t>(direction)];
            for (int bit = std::max(place.low, place.bit - kReach); bit < std::min(place.high, place.bit + kReach + 1);
                 ++bit)
                if (const int cell = five + (bit - place.bit) * step; cell != five && state.is_empty(cell))
                    if (state.shape(five, me ^ 1, direction) == Shape::kFive) cells.push_back(cell);
        }
        std::erase_if(cells, [&](int cell) {
            State<N> after = state;
            after.put(cell, me);
            return !state.is_allowed(cell, me) ||
                   any_empty(after, [&](int empty) { return after.is_win(empty, me ^ 1); });
        });
        return cells;
    }

    std::vector<std::pair<std::uint64_t, int>> table_{kEntries};
    int left_ = 0;
};

State<kLargest> position(int width, int height, int rule, const nb::bytes& stones, int to_move) {
    State<kLargest> state(width, height, static_cast<Rule>(rule));
    for (int dense = 0; dense < state.cells(); ++dense)
        if (const int stone = static_cast<unsigned char>(stones.c_str()[dense]))
            state.put(state.from_dense(dense), stone - 1);
    state.finish(-1, state.stones(), to_move);
    return state;
}

// Positions of one size and rule, and what either search finds in them one after the other.
struct Positions {
    virtual ~Positions() = default;
    virtual void add(const State<kLargest>& state) = 0;
    virtual std::vector<std::pair<int, int>> search(bool is_plain, int positions) const = 0;
};

template <int N>
struct PositionsOf : Positions {
    std::vector<TacticalState<N>> states;

    void add(const State<kLargest>& state) override { states.emplace_back(state); }
    std::vector<std::pair<int, int>> search(bool is_plain, int positions) const override {
        if (is_plain) return run<PlainFourSearch<N>>(positions);
        return run<FourSearch<N>>(positions);
    }
    template <class Search>
    std::vector<std::pair<int, int>> run(int positions) const {
        Search search;
        std::vector<std::pair<int, int>> found;
        for (const TacticalState<N>& state : states) {
            const int move = search.winning_move(state, positions);
            found.emplace_back(move < 0 ? -1 : state.to_dense(move), search.left());
        }
        return found;
    }
};

std::unique_ptr<Positions> make_positions(int width, int height) {
    return with_capacity(width, height, [](auto capacity) -> std::unique_ptr<Positions> {
        return std::make_unique<PositionsOf<decltype(capacity)::value>>();
    });
}

// Plays the moves and undoes them one by one; after each the board must equal one made of its stones alone.
// Returns what does not hold, "" when all does.
template <int N>
std::string walk_on(State<kLargest> plain, int attacker, const std::vector<int>& moves) {
    using Board = FourBoard<N>;
    std::vector<Board> made = {Board(TacticalState<N>(plain), attacker)};
    std::vector<typename Board::Step> steps(moves.size());
    Board board = made[0];
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (board.state_key() != plain.state_key()) return "key before move " + std::to_string(i);
        plain.play(plain.from_dense(moves[i]));
        board.play(board.from_dense(moves[i]), steps[i]);
        made.emplace_back(TacticalState<N>(plain), attacker);
        if (board != made.back()) return "play of move " + std::to_string(i);
        if (board == made[i]) return "nothing changed in move " + std::to_string(i);
    }
    for (std::size_t i = moves.size(); i-- > 0;) {
        board.undo(steps[i]);
        if (board != made[i]) return "undo of move " + std::to_string(i);
    }
    return "";
}

std::string walk(int width, int height, int rule, const nb::bytes& stones, int to_move, int attacker,
                 const std::vector<int>& moves) {
    const auto start = position(width, height, rule, stones, to_move);
    return with_capacity(width, height,
                         [&](auto capacity) { return walk_on<decltype(capacity)::value>(start, attacker, moves); });
}

nb::bytes line_shapes(int rule) {
    constexpr unsigned kSides = (1u << kReach) - 1;
    std::string shapes;
    for (unsigned key = 0; key < 1u << 20; ++key) {
        const auto window = [](unsigned ten) { return (ten & kSides) | (ten & ~kSides) << 1; };
        shapes.push_back(
            static_cast<char>(shape_table(static_cast<LineRule>(rule))(window(key & 0x3ff), window(key >> 10))));
    }
    return nb::bytes(shapes.data(), shapes.size());
}

}  // namespace

void bind_fours(nb::module_& module) {
    nb::class_<Positions>(module, "FourPositions")
        .def(nb::new_(&make_positions), nb::arg("width"), nb::arg("height"))
        .def("add", [](Positions& all, int width, int height, int rule, const nb::bytes& stones,
                       int to_move) { all.add(position(width, height, rule, stones, to_move)); })
        .def("search", &Positions::search, nb::arg("is_plain"), nb::arg("positions"),
             "Of each position the winning move, -1 for none, and how many positions were left to look at.");
    module.def("four_board_fault", &walk);
    module.def("line_shapes", &line_shapes, "The shape table of a line rule, a byte an entry: see ShapeTable.");
}
