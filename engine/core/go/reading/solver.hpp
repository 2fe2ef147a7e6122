// Whether the target of a fight is captured, by depth-first proof-number search (Nagai 2002).
//
// One question names who moves first and who is favoured by ko. The favoured side takes a ko back at once, as if it
// had threats without end; for the other the ban holds. A repetition, and a line that is too long, count for the
// favoured side too. So "captured" is certain where the defender is favoured, "not captured" where the attacker is:
// such proofs never rest on a repetition, and the table may serve every path. They hold on the graph of the fight,
// whose outside is a guess (fight.hpp): a proof says nothing of what lies beyond.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/go/reading/fight.hpp"

namespace tengen::go::reading {

enum class Verdict : std::uint8_t { kUnknown, kCaptured, kLives };

struct Answer {
    Verdict verdict = Verdict::kUnknown;
    int move = -1;            // node that the first side plays, -1: none is needed, or none is known
    std::uint64_t nodes = 0;  // that it took
};

// Whether reading should end; asked every few hundred nodes.
using Halt = std::function<bool()>;

class Solver {
public:
    // Entries of the table: a power of two.
    explicit Solver(Halt halt = {}, std::size_t entries = std::size_t{1} << 16)
        : halt_(std::move(halt)), table_(entries) {}

    // Answer with at most so many nodes, or until it is halted. What is found is kept for later questions.
    Answer ask(const Fight& fight, const Position& from, Side first, Side favoured, std::uint64_t most);
    void clear() { table_.assign(table_.size(), {}); }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t won = 1, lost = 1;  // proof and disproof numbers for the side to move
    };
    struct Child {
        Position position;
        std::uint64_t key = 0;
        std::uint32_t won = 1, lost = 1;
        std::uint8_t move = kPassNode;
    };
    static constexpr std::uint8_t kPassNode = 63;
    static constexpr std::uint32_t kInfinite = 1u << 28;
    static constexpr int kDeepest = 64;
    static constexpr std::uint64_t kHaltEvery = 256;  // nodes: a power of two

    struct Numbers {
        std::uint32_t won, lost;
    };
    Numbers search(const Position& at, std::uint64_t key, Side side, Numbers bounds, int depth, int* best);
    int children(const Position& at, Side side, int depth, Child* out) const;
    void judge(Child& child, Side mover, int depth) const;
    Numbers guess_of(const Position& at, Mask chain, Mask free) const;
    std::uint64_t key_of(const Position& at, Side side) const;
    Entry& slot(std::uint64_t key) { return table_[key & (table_.size() - 1)]; }
    const Entry* find(std::uint64_t key) const;
    void keep(std::uint64_t key, Numbers numbers);

    Halt halt_;
    std::vector<Entry> table_;
    const Fight* fight_ = nullptr;
    Side favoured_ = Side::kDefender;
    std::uint64_t nodes_ = 0, most_ = 0;
    std::array<std::uint64_t, kDeepest + 1> path_{};
};

}  // namespace tengen::go::reading
