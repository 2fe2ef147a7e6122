// A board for a search of continuous fours: of one position, what such a search reads, with moves that can be undone.
//
// One side attacks, the other only stops fives. So it keeps the shapes of the attacker from an open three upwards (all
// below are alike here) and the cells on which the defender would win: well under half of a TacticalState.
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
            std::uint32_t shapes;
            std::int16_t cell;
            Threat threat;
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
    struct Line;
    // Inline, for a fifth more of speed: gcc calls them otherwise.
    inline void look_at_attack(const Line& line, Step& step);
    inline void look_at_defence(const Line& line, int colour);
    inline void change(int cell, std::uint32_t shapes, Threat threat, Step& step);
    inline void set(int cell, std::uint32_t shapes, Threat threat);

    int attacker_;
    std::array<ShapeTable*, 2> tables_;
    std::array<std::uint32_t, L::kCellBound> shapes_;  // of the attacker, a byte a direction, 0 below an open three
    std::array<Threat, L::kCellBound> threats_;
    std::array<Cells, kThreats> attack_;
    Cells defence_;
};

extern template class FourBoard<15>;
extern template class FourBoard<25>;

}  // namespace tengen::gomoku
