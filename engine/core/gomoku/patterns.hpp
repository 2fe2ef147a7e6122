// Every empty cell's worth to both sides, kept up to date move by move: shapes on four lines, threats, scores.
#pragma once

#include <bit>

#include "core/gomoku/state.hpp"

namespace tengen::gomoku {

// What a stone on an empty cell would achieve, from nothing to a win.
enum class Threat : std::uint8_t {
    kNothing,
    kThree,        // one open three
    kDoubleThree,  // two open threes
    kFour,         // a four that one reply stops
    kFourThree,    // such a four, and an open three
    kSuspect,      // renju's black: perhaps a foul, ask State::foul
    kOpenFour,     // wins on the next move whatever the reply, unless the enemy has a five now
    kFive,         // wins
};
inline constexpr int kThreats = 8;

// What a cell is worth to `colour` by the shapes in its four directions, a byte each. Those below kOpenThree are alike.
Threat threat_of(Rule rule, int colour, std::uint32_t shapes);

// A set of cells.
template <int kBits>
class CellSet {
public:
    void add(int cell) { words_[static_cast<std::size_t>(cell >> 6)] |= std::uint64_t{1} << (cell & 63); }
    void remove(int cell) { words_[static_cast<std::size_t>(cell >> 6)] &= ~(std::uint64_t{1} << (cell & 63)); }
    bool has(int cell) const { return words_[static_cast<std::size_t>(cell >> 6)] >> (cell & 63) & 1; }
    // Calls f(cell) in ascending order until it returns true; whether it did.
    template <class F>
    bool any(F f) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t word = words_[i]; word; word &= word - 1)
                if (f(static_cast<int>(i * 64) + std::countr_zero(word))) return true;
        return false;
    }
    int first() const {  // of a set that is not empty
        int found = -1;
        any([&](int cell) {
            found = cell;
            return true;
        });
        return found;
    }

    bool is_empty() const {
        std::uint64_t all = 0;
        for (std::uint64_t word : words_) all |= word;
        return !all;
    }
    int size() const {
        int count = 0;
        for (std::uint64_t word : words_) count += std::popcount(word);
        return count;
    }
    bool operator==(const CellSet&) const = default;

private:
    std::array<std::uint64_t, (kBits + 63) / 64> words_{};
};

// Scores in eighths of a unit of log probability: what a shape adds to a move of its own side, and to an enemy's.
struct ShapeScores {
    std::array<std::int8_t, kShapes> own, enemy;
};

template <int N>
class TacticalState : public State<N> {
public:
    using L = Lanes<N>;
    using Base = State<N>;
    using Cells = CellSet<L::kCellBound>;
    static constexpr bool kCandidatesComplete = false;  // cells far from every stone are left out

    template <int M>
    explicit TacticalState(const State<M>& from);

    void play(int cell);
    int candidate_moves(int* out) const;  // legal moves near the stones; all legal ones when there is none near

    Shape shape(int cell, int colour, int direction) const {
        return static_cast<Shape>(shapes_[colour][cell] >> 8 * direction & 0xff);
    }
    std::uint32_t shapes(int cell, int colour) const { return shapes_[colour][cell]; }  // a byte a direction
    Threat threat(int cell, int colour) const { return static_cast<Threat>(threats_[colour][cell]); }
    int count(Threat threat, int colour) const { return counts_[colour][static_cast<std::size_t>(threat)]; }
    const Cells& cells_with(Threat threat, int colour) const { return sets_[colour][static_cast<std::size_t>(threat)]; }
    // How often the shape could be made: over all empty cells and directions.
    int count(Shape shape, int colour) const { return shape_counts_[colour][static_cast<std::size_t>(shape)]; }
    int score(int cell, int colour) const { return scores_[colour][cell]; }  // of a move of `colour`
    // Whether an enemy stone `offset` steps along the line leaves `colour` less than an open four on `cell`.
    bool spoils(int cell, int colour, int direction, int offset) const;

    // What differs from a recomputation, nullptr when nothing does. For tests.
    const char* inconsistency() const;

    // Calls f(cell) for the empty cells within two steps (also diagonal) of a stone, until it returns true.
    template <class F>
    bool any_near(F f) const {
        for (int row = 0; row < this->height(); ++row) {
            const unsigned stones =
                static_cast<unsigned>(this->lanes().row_lane(0, row) | this->lanes().row_lane(1, row));
            for (unsigned near = near_[static_cast<std::size_t>(row)] & ~stones; near; near &= near - 1)
                if (f(L::cell(row, std::countr_zero(near)))) return true;
        }
        return false;
    }

private:
    // Both sides' windows along one line: see Lanes::windows.
    using Windows = std::array<std::uint64_t, 2>;
    Windows windows(const Place& place) const {
        return {this->lanes().windows(place, 0), this->lanes().windows(place, 1)};
    }

    void add_stone(int cell, int colour);
    void look(int cell, int direction, int bit, const Windows& line);
    void set_shape(int cell, int colour, int direction, Shape shape);
    void classify_cell(int cell, int colour);
    void mark_near(int cell);
    void clear_cell(int cell);

    std::array<ShapeTable*, 2> tables_;
    std::array<std::array<std::uint32_t, L::kCellBound>, 2> shapes_{};  // a byte a direction
    std::array<std::array<std::uint8_t, L::kCellBound>, 2> threats_{};
    std::array<std::array<std::int16_t, L::kCellBound>, 2> scores_{};
    std::array<std::array<std::int16_t, kThreats>, 2> counts_{};
    std::array<std::array<std::int16_t, kShapes>, 2> shape_counts_{};
    std::array<std::array<Cells, kThreats>, 2> sets_{};
    std::array<std::uint32_t, N> near_{};
};

extern template class TacticalState<15>;
extern template class TacticalState<25>;

}  // namespace tengen::gomoku
