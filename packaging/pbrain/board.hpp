// The board as Gomocup's protocol tells it: stones of two colours in the order in which they came, taken back anywhere,
// in uneven numbers, and where the rules forbid them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/gomoku/state.hpp"
#include "text.hpp"

namespace tengen::pbrain {

using State = gomoku::State<gomoku::kLargest>;

struct Stone {
    int colour, cell;  // cell: y * width + x
};

class Board {
public:
    Board(int width, int height) : width_(width), height_(height) {}

    int width() const { return width_; }
    int height() const { return height_; }
    int cells() const { return width_ * height_; }
    const std::vector<Stone>& stones() const { return stones_; }
    int next_colour() const { return static_cast<int>(stones_.size() % 2); }  // if both play in turn
    std::optional<int> us;                                                    // unset while nobody can know

    bool is_empty(int cell) const { return find(cell) == stones_.end(); }
    std::string text(int cell) const { return std::to_string(cell % width_) + "," + std::to_string(cell / width_); }
    int cell(const Placed& at) const {
        if (at.x < 0 || at.y < 0 || at.x >= width_ || at.y >= height_)
            throw Error{std::to_string(at.x) + "," + std::to_string(at.y) + " is not on the board"};
        return at.y * width_ + at.x;
    }
    int empty_cell(const Placed& at) const {
        const int found = cell(at);
        if (!is_empty(found)) throw Error{text(found) + " is occupied"};
        return found;
    }

    void put(int colour, int cell) { stones_.push_back({colour, cell}); }
    void take(int cell) {
        const auto at = find(cell);
        if (at == stones_.end()) throw Error{text(cell) + " is empty"};
        stones_.erase(at);
        if (stones_.empty()) us.reset();
    }
    void load(std::vector<Stone> stones) { stones_ = std::move(stones); }

    // The position with `to_move` to move.
    State state(gomoku::Rule rule, int to_move) const {
        State out(width_, height_, rule);
        for (const Stone& stone : stones_) out.put(out.from_dense(stone.cell), stone.colour);
        out.set_to_move(to_move);
        return out;
    }

    // An empty point near the middle, one that the rules allow if there is one. Throws Error where there is none.
    int some_cell(const State& state) const {
        int best = -1;
        std::pair<bool, int> least;
        for (int cell = 0; cell < cells(); ++cell) {
            if (!is_empty(cell)) continue;
            const int dx = 2 * (cell % width_) - width_ + 1, dy = 2 * (cell / width_) - height_ + 1;
            const std::pair<bool, int> cost(!state.is_allowed(state.from_dense(cell), state.to_move()),
                                            dx * dx + dy * dy);
            if (best < 0 || cost < least) {
                best = cell;
                least = cost;
            }
        }
        if (best < 0) throw Error{"the board is full"};
        return best;
    }

private:
    std::vector<Stone>::const_iterator find(int cell) const {
        return std::find_if(stones_.begin(), stones_.end(), [cell](const Stone& one) { return one.cell == cell; });
    }

    int width_, height_;
    std::vector<Stone> stones_;
};

}  // namespace tengen::pbrain
