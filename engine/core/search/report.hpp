// The report of every search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tengen::search {

// The relation of a line's score to the true one: an estimate, a lower bound, an upper bound, exact.
enum class Bound { estimate, lower, upper, exact };

inline const char* name_of(Bound bound) {
    constexpr const char* kNames[] = {"estimate", "lower", "upper", "exact"};
    return kNames[static_cast<int>(bound)];
}

// The score at the end of the game as the evaluator expects it of play like its own.
struct FinalScore {
    double mean, deviation;
};

// One candidate move; values are for the side to move at the root.
struct Line {
    int move = -1;
    std::vector<int> pv;
    std::uint64_t visits = 0;
    double win = 0.5;  // a draw counts half
    double draw = 0;   // share of draws
    double score = 0, lcb = 0, prior = 0;
    std::optional<FinalScore> final_score{};
    bool is_proved = false;
    int proof = 0;          // if it is: 1 won, 0 drawn, -1 lost
    int plies_to_end = -1;  // with best play, where it is known; the pv may be shorter
    Bound bound = Bound::estimate;
    int depth = 0, seldepth = 0;  // plies looked ahead, on the whole and at most
};

struct Report {
    std::vector<Line> lines;  // best first
    int to_move = 0;
    std::uint64_t visits = 0, playouts = 0, nodes = 0;
    std::uint64_t probes = 0;  // of endgame tables inside the search, with an answer
    double seconds = 0, win = 0.5, draw = 0, score = 0, hashfull = 0;
    std::optional<FinalScore> final_score{};
    std::vector<float> ownership;  // -1..1 for the side to move
};

}  // namespace tengen::search
