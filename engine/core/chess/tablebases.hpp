// Endgame tables inside the search. Another library reads the files (`ask`); what it said of positions is remembered.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/chess/board.hpp"

namespace tengen::chess {

// Holds for all threads.
class Tablebases {
public:
    // 1: the side to move wins, -1: it loses, 0: a draw, also by fifty moves, where none has been made without progress.
    // Nothing: no table has the position. Called by one thread at a time or more; it throws nothing.
    using Ask = std::function<std::optional<int>(const Board&)>;

    // pieces: the most on a board that some table has.
    Tablebases(Ask ask, int pieces);

    int pieces() const { return pieces_; }
    // What `Ask` says. The position has no castling rights.
    std::optional<int> result(const Board& board) const;

private:
    static constexpr std::size_t kSlots = std::size_t{1} << 16;
    static constexpr std::uint64_t kAnswer =
        7;                              // low bits of a slot: 2 + what was said, so never 0; the others: of the key
    static constexpr int kUnknown = 2;  // is remembered, too

    Ask ask_;
    int pieces_;
    std::unique_ptr<std::array<std::atomic<std::uint64_t>, kSlots>> known_;
};

}  // namespace tengen::chess
