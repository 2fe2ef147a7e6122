// The fights of a position: which chains live or die by who moves first, and the moves that decide it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/go/reading/solver.hpp"

namespace tengen::go::reading {

// What becomes of a chain, from its owner's worst to best. Ko: neither side is sure.
enum class Fate : std::uint8_t { kDead, kKo, kUnknown, kAlive };

struct Finding {
    Fight fight;
    std::vector<int> cells;  // of the target
    std::array<Fate, 2> fate{Fate::kUnknown,
                             Fate::kUnknown};  // where the side to move plays first; where the other does
    std::array<std::int8_t, 2> first{-1, -1};  // a node that the side that moves first plays for its fate
    std::vector<int> moves;  // cells where the side to move gets the better fate, the shortest proof first
    std::uint64_t nodes = 0;
    int stake = 0;  // points between the fates

    bool is_settled() const { return fate[0] == fate[1] && fate[0] != Fate::kUnknown; }
};

// A move that decides fights, and the points that it wins in them.
struct Deed {
    int cell = 0;
    double points = 0;
};

class Reader {
public:
    explicit Reader(Halt halt = {}) : halt_(halt), solver_(std::move(halt)) {}
    // The moves that decide fights, most points first.
    static std::vector<Deed> best(const std::vector<Finding>& findings);
    // Read the fights of at least `smallest` stones, with at most so many nodes in all. The largest come first.
    template <int N>
    std::vector<Finding> read(const Board<N>& board, int mover, std::uint64_t nodes, int smallest = 2);

    // What becomes of a fight from a position of it, one side moving first.
    Fate fate(const Fight& fight, const Position& at, Side first, std::uint64_t nodes, int* move = nullptr);
    // Nodes of all questions so far.
    std::uint64_t nodes() const { return nodes_; }

private:
    bool is_over(std::uint64_t until) const { return nodes_ >= until || (halt_ && halt_()); }
    void settle(Finding& finding, int mover, std::uint64_t nodes);
    void find_moves(Finding& finding, int mover, std::uint64_t until);

    Halt halt_;
    Solver solver_;
    std::uint64_t nodes_ = 0;
};

}  // namespace tengen::go::reading
