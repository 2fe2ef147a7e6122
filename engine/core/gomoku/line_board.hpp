// A position with what every empty cell is worth to both sides by its lines, kept up over moves and their undoing.
//
// A move changes at most the cells within reach on its four lines. Each is looked up once for both sides; what changes is
// written down, and `undo` puts it back.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "core/gomoku/state.hpp"
#include "core/gomoku/worth.hpp"

namespace tengen::gomoku {

template <int N>
class LineBoard : public State<N> {
public:
    using L = Lanes<N>;
    using Base = State<N>;
    using Cells = CellSet<L::kCellBound>;

    // What all cells are worth to both sides, and where moves are near.
    struct Sums {
        std::array<std::int32_t, 2> turn{}, wait{};
        std::array<std::array<std::int16_t, kThreats>, 2> counts{};
        std::array<typename L::Lane, N> near{};
        bool operator==(const Sums&) const = default;
    };
    // What `undo` needs of a move beside the list of changes.
    struct Undo {
        Sums sums;
        std::uint32_t changes;
        std::int8_t winner;
    };

    template <int M>
    explicit LineBoard(const State<M>& from);

    // The side to move plays on an empty cell.
    void play(int cell, Undo& undo);
    // Take back the last move that was not yet taken back.
    void undo(int cell, const Undo& undo);

    const Worth& worth(int cell, int colour) const {
        const auto side = static_cast<std::size_t>(colour);
        return tables_[side]->worths[of(cell).indices[side]];
    }
    const Promise& promise(int cell, int colour) const {
        const auto side = static_cast<std::size_t>(colour);
        return tables_[side]->promises[of(cell).indices[side]];
    }
    Shape shape(int cell, int colour, int direction) const {
        return shape_of(static_cast<Pattern>(of(cell).patterns >> (8 * direction + 4 * colour) & 15u));
    }
    Threat threat(int cell, int colour) const { return of(cell).threats[static_cast<std::size_t>(colour)]; }
    int count(Threat threat, int colour) const {
        return sums_.counts[static_cast<std::size_t>(colour)][static_cast<std::size_t>(threat)];
    }
    bool has(Threat threat, int colour) const { return count(threat, colour) != 0; }
    // The cells with a threat other than kNothing.
    const Cells& cells_with(Threat threat, int colour) const {
        return sets_[static_cast<std::size_t>(colour)][static_cast<std::size_t>(threat)];
    }
    // Whether the side has a move that makes a four (perhaps a forbidden one).
    bool has_fours(int colour) const {
        return count(Threat::kFour, colour) || count(Threat::kFourThree, colour) || count(Threat::kSuspect, colour) ||
               count(Threat::kOpenFour, colour);
    }
    const Sums& sums() const { return sums_; }
    // The indices (worth.hpp) of both sides on a cell; 0 of a stone.
    const std::array<std::uint16_t, 2>& indices(int cell) const { return of(cell).indices; }
    // Of cells, along the line of play since the board was made; and one of them: the cell, and its indices before.
    std::uint32_t changes() const { return changes_.size; }
    std::pair<int, std::array<std::uint16_t, 2>> change(std::uint32_t i) const {
        return {changes_[i].cell, changes_[i].was.indices};
    }
    // Whether an enemy stone `offset` steps along the line leaves `colour` less than an open four on `cell`.
    bool spoils(int cell, int colour, int direction, int offset) const;

    // Calls f(cell) for the empty cells within two steps of a stone, or three along a line, until it returns true.
    template <class F>
    bool any_near(F f) const {
        for (int row = 0; row < this->height(); ++row) {
            const auto stones = static_cast<unsigned>(this->lanes().row_lane(0, row) | this->lanes().row_lane(1, row));
            for (unsigned near = sums_.near[static_cast<std::size_t>(row)] & ~stones; near; near &= near - 1)
                if (f(L::cell(row, std::countr_zero(near)))) return true;
        }
        return false;
    }

    // What differs from a board made anew, nullptr when nothing does. For tests.
    const char* inconsistency() const;

private:
    struct Cell {
        std::uint32_t patterns = 0;  // a byte a direction: black's, and White's in its high nibble
        std::array<std::uint16_t, 2> indices{};
        std::array<std::int16_t, 2> turn{}, wait{};
        std::array<Threat, 2> threats{};
        bool operator==(const Cell&) const = default;
    };
    struct Change {
        Cell was;
        std::int16_t cell;
    };
    // A stack, of which a copy takes what is on it. There always is room for one move's changes.
    class Changes {
    public:
        static constexpr std::uint32_t kOfAMove = 2 * kReach * kDirections + 1;
        Changes() : room_(kFirst), at_(std::make_unique_for_overwrite<Change[]>(kFirst)) {}
        Changes(const Changes& other) : Changes() { *this = other; }
        Changes& operator=(const Changes& other) {
            grow(other.size + kOfAMove);
            std::copy_n(other.at_.get(), other.size, at_.get());
            size = other.size;
            return *this;
        }
        void make_room() {
            if (size + kOfAMove > room_) grow(2 * room_);
        }
        void push(const Cell& was, int cell) { at_[size++] = {was, static_cast<std::int16_t>(cell)}; }
        const Change& operator[](std::uint32_t i) const { return at_[i]; }
        std::uint32_t size = 0;

    private:
        static constexpr std::uint32_t kFirst = 512;
        void grow(std::uint32_t room) {
            if (room <= room_) return;
            auto more = std::make_unique_for_overwrite<Change[]>(room);
            std::copy_n(at_.get(), size, more.get());
            at_ = std::move(more);
            room_ = room;
        }
        std::uint32_t room_;
        std::unique_ptr<Change[]> at_;
    };

    const Cell& of(int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    void add_stone(int cell, int colour);
    void set(int cell, Cell& now, std::uint32_t patterns);
    template <int kColour>
    void set_index(int cell, Cell& now, unsigned code);
    void move_to_set(int cell, int colour, Threat before, Threat now);
    void mark_near(int cell);

    PatternTable* patterns_;
    std::array<const WorthTables*, 2> tables_;
    std::array<Cell, L::kCellBound> cells_{};
    Sums sums_;
    std::array<std::array<Cells, kThreats>, 2> sets_{};
    Changes changes_;
};

extern template class LineBoard<15>;
extern template class LineBoard<25>;

}  // namespace tengen::gomoku
