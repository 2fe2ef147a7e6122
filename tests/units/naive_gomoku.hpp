// Gomoku's rules on a plain grid, as slowly and literally as they are written: no tables, no bits, nothing of the
// core. The same as `Naive` of tests/core/gomoku_boards.py, which test_gomoku_claims.py compares it with.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace naive {

enum class Rule { kFreestyle, kStandard, kRenju, kCaro, kExactCaro };
using Step = std::pair<int, int>;  // rows, columns
using Cells = std::vector<int>;
inline constexpr Step kSteps[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
enum Stone { kEmpty, kBlack, kWhite, kOutside };

struct Board {
    int width, height;
    Rule rule;
    std::vector<int> grid;  // of Stone, row by row

    int at(int row, int column) const {
        return row >= 0 && row < height && column >= 0 && column < width
                   ? grid[static_cast<std::size_t>(row * width + column)]
                   : kOutside;
    }
    int& operator[](int cell) { return grid[static_cast<std::size_t>(cell)]; }
    int operator[](int cell) const { return grid[static_cast<std::size_t>(cell)]; }
    int size() const { return width * height; }

    // The unbroken row through a stone, ascending.
    Cells row(int cell, Step step) const {
        Cells cells = {cell};
        for (int way : {-1, 1}) {
            int r = cell / width, c = cell % width;
            while (at(r += way * step.first, c += way * step.second) == (*this)[cell]) cells.push_back(r * width + c);
        }
        std::sort(cells.begin(), cells.end());
        return cells;
    }

    bool wins_in(int cell, Step step) const {
        const int stone = (*this)[cell];
        int length = 1, stops = 0;
        for (int way : {-1, 1}) {
            int r = cell / width + way * step.first, c = cell % width + way * step.second;
            for (; at(r, c) == stone; r += way * step.first, c += way * step.second) ++length;
            stops += at(r, c) == 3 - stone;
        }
        const bool is_stopped = stops == 2;
        switch (rule) {
            case Rule::kFreestyle: return length >= 5;
            case Rule::kStandard: return length == 5;
            case Rule::kRenju: return length == 5 || (length > 5 && stone == kWhite);
            case Rule::kCaro: return length > 5 || (length == 5 && !is_stopped);
            default: return length == 5 && !is_stopped;
        }
    }
    bool wins(int cell) const {
        return std::any_of(std::begin(kSteps), std::end(kSteps), [&](Step step) { return wins_in(cell, step); });
    }
    bool wins_if(int cell, int stone) {
        (*this)[cell] = stone;
        const bool won = wins(cell);
        (*this)[cell] = kEmpty;
        return won;
    }

    // The empty cells on the whole line through a cell.
    Cells line(int cell, Step step) const {
        Cells cells;
        for (int k = -25; k <= 25; ++k) {
            const int r = cell / width + k * step.first, c = cell % width + k * step.second;
            if (at(r, c) == kEmpty) cells.push_back(r * width + c);
        }
        return cells;
    }

    // RIF 9: the fours of the black stone on this line: four stones -> the cells that make them a five.
    std::map<Cells, Cells> fours(int cell, Step step) {
        std::map<Cells, Cells> found;
        for (int empty : line(cell, step)) {
            (*this)[empty] = kBlack;
            Cells stones = row(empty, step);
            (*this)[empty] = kEmpty;
            if (stones.size() != 5 || !std::binary_search(stones.begin(), stones.end(), cell)) continue;
            std::erase(stones, empty);
            found[stones].push_back(empty);
        }
        return found;
    }

    // RIF 9: one more stone, making no five and itself allowed (9.3), attains a straight four.
    bool is_three(int cell, Step step) {
        for (int empty : line(cell, step)) {
            if (wins_if(empty, kBlack)) continue;
            (*this)[empty] = kBlack;
            bool is_straight = false;
            for (const auto& [stones, cells] : fours(empty, step))
                is_straight |= cells.size() == 2 && std::binary_search(stones.begin(), stones.end(), cell) &&
                               row(stones[0], step) == stones;
            (*this)[empty] = kEmpty;
            if (is_straight && foul(empty).empty()) return true;
        }
        return false;
    }

    // RIF 9.3 for a black stone on the empty cell; "" where it is allowed.
    std::string foul(int cell) {
        (*this)[cell] = kBlack;
        const std::string found = foul_of(cell);
        (*this)[cell] = kEmpty;
        return found;
    }
    bool is_allowed(int cell, int stone) { return rule != Rule::kRenju || stone == kWhite || foul(cell).empty(); }

private:
    std::string foul_of(int cell) {
        std::size_t longest = 0, count = 0;
        for (Step step : kSteps) {
            const std::size_t length = row(cell, step).size();
            if (length == 5) return "";
            longest = std::max(longest, length);
        }
        if (longest > 5) return "overline";
        std::vector<Step> others;
        for (Step step : kSteps) {
            const std::size_t here = fours(cell, step).size();
            count += here;
            if (!here) others.push_back(step);
        }
        if (count >= 2) return "double four";
        const auto threes =
            std::count_if(others.begin(), others.end(), [&](Step step) { return is_three(cell, step); });
        return threes >= 2 ? "double three" : "";
    }
};

}  // namespace naive
