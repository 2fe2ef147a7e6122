// A board for a search of continuous fours: of one position, what such a search reads, with moves that can be undone.
//
// One side attacks, the other only stops fives. So it keeps the shapes of the attacker from an open three upwards (all
// below are alike here) and the cells on which the defender would win: a third of a TacticalState, and no copies.
#pragma once

#include "core/gomoku/patterns.hpp"

namespace tengen::gomoku {

template <int N>
class FourBoard : public State<N> {
public:
    using L = Lanes<N>;
    using Base = State<N>;
    using Cells = CellSet<L::kCellBound>;

    // What `undo` needs of one move. Its values are those before the move.
    struct Step {
        struct Change {
            std::int32_t cell;
            std::uint32_t shapes;
        };
        int cell, winner;
        Cells defence;
        int size = 0;
        std::array<Change, 2 * kReach * kDirections + 1> changes;  // a cell lies on one line with the move
    };

    FourBoard(const TacticalState<N>& from, int attacker);

    // The side to move plays on an empty cell.
    void play(int cell, Step& step);
    // Take back the last move that was not yet taken back: everything is as before its `play`.
    void undo(const Step& step);

    // The cells with a threat: of the attacker any, of the defender Threat::kFive alone.
    const Cells& cells_with(Threat threat, int colour) const {
        return colour == attacker_ ? attack_[static_cast<std::size_t>(threat)] : defence_;
    }
    bool has(Threat threat, int colour) const { return !cells_with(threat, colour).is_empty(); }

    bool operator==(const FourBoard&) const = default;

private:
    void look_along(int cell, int colour, int direction, Step& step);
    void set_shapes(int cell, std::uint32_t shapes);
    bool defender_wins(int cell) const { return this->is_win(cell, attacker_ ^ 1); }

    int attacker_;
    std::array<std::uint32_t, L::kCellBound> shapes_;  // of the attacker, a byte a direction, 0 below an open three
    std::array<std::uint8_t, L::kCellBound> threats_;
    std::array<Cells, kThreats> attack_;
    Cells defence_;
};

extern template class FourBoard<15>;
extern template class FourBoard<25>;

}  // namespace tengen::gomoku
