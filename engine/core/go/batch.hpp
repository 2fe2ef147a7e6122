// N games of Go side by side, for people who train or measure: one call advances or describes them all.
//
// Every board remembers its positions, so superko is enforced where the rules have it, and its last moves.
// A board that is over has no legal moves and stays as it is. Moves are dense; -1 leaves a board alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/go/state.hpp"

namespace tengen::go {

enum class Refusal { kNone, kOffBoard, kOccupied, kKo, kSuperko, kSuicide };

class Batch {
public:
    virtual ~Batch() = default;

    virtual int size() const = 0;
    virtual int width() const = 0;
    virtual int height() const = 0;
    int cells() const { return width() * height(); }

    // Play one move a board, all or none: -> {-1, kNone}, or the first board that refuses and why.
    struct Answer {
        int board = -1;
        Refusal reason = Refusal::kNone;
    };
    virtual Answer play(std::span<const std::int64_t> moves) = 0;
    // Back to the empty board where mark is true.
    virtual void reset(std::span<const bool> mark) = 0;

    // Each fills out for all boards in turn; sizes a board in brackets.
    virtual void legal_moves(bool* out) const = 0;        // [cells + 1]
    virtual void stones(std::int8_t* out) const = 0;      // [cells] 0, 1 black, 2 white
    virtual void canonical(std::int8_t* out) const = 0;   // [cells] 0, 1 mover's, -1 the other's
    virtual void areas(std::int8_t* out) const = 0;       // [cells] 0, 1, 2
    virtual void liberties(std::int16_t* out) const = 0;  // [cells] of the chain at each stone
    virtual void planes(float* out) const = 0;            // [GoV1::kPlanes * cells]
    virtual void keys(std::uint64_t* out) const = 0;      // [1] position keys
    virtual void to_move(std::int8_t* out) const = 0;     // [1]
    virtual void passes(std::int8_t* out) const = 0;      // [1] consecutive passes just played
    virtual void is_over(bool* out) const = 0;            // [1]
    virtual void results(float* out) const = 0;           // [1] black's score minus white's and komi, as it stands

    // A new batch of copies, histories included, of these boards; an index may come up several times.
    virtual std::unique_ptr<Batch> select(std::span<const std::int64_t> boards) const = 0;
    virtual State<kMaxSize> get(int board) const = 0;
    // Replace one board, of the same size and rules; its history starts there.
    virtual void set(int board, const State<kMaxSize>& state) = 0;
};

std::unique_ptr<Batch> make_batch(int size, int width, int height, const Rules& rules, float komi);

}  // namespace tengen::go
