// Exact knowledge of parts of a position, which a game may have beside the network: it corrects the answer to a leaf and
// urges a move.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/mcts/backup.hpp"
#include "core/search/bounds.hpp"

namespace tengen::mcts {

// How far a cell is player 0's in an answer, -1 to 1.
class Owners {
public:
    template <class F>
    explicit Owners(const F& owner)
        : owner_(&owner), ask_([](const void* f, int cell) { return (*static_cast<const F*>(f))(cell); }) {}
    float operator()(int cell) const { return ask_(owner_, cell); }

private:
    const void* owner_;
    float (*ask_)(const void*, int);
};

struct Correction {
    float points = 0;  // to be added to the margin, + = player 0
    int move = -1;     // native, that must be looked at; -1: none
};

template <class S>
class Insight {
public:
    virtual ~Insight() = default;
    // The work that a run may take; 0 switches it off.
    virtual void configure(double nodes) = 0;
    virtual void begin(const S& root, const search::Bounds& bounds) = 0;
    virtual Correction correct(const S& leaf, int depth, const Owners& owners) = 0;
    virtual bool is_on() const = 0;
};

inline constexpr float kUrged = 1.0f;  // how far the logit of such a move is at most below the largest

// Move an outcome by points, on the logistic curve whose width is the spread of the final score.
inline void shift(Outcome& out, float points, int cells) {
    constexpr double kSlope = 1.7, kLeastSpread = 3;
    if (points == 0) return;
    double spread = 0.5 * std::sqrt(static_cast<double>(cells)) + 2;
    if (out.final_square >= 0) {
        const double score = static_cast<double>(out.final_score);
        spread = std::sqrt(std::max(0.0, static_cast<double>(out.final_square) - score * score));
        out.final_square += 2 * out.final_score * points + points * points;
        out.final_score += points;
    }
    spread = std::max(spread, kLeastSpread);
    const double win = std::clamp(out.judgement.win, 1e-4, 1 - 1e-4);
    const double logit = std::log(win / (1 - win)) + kSlope * static_cast<double>(points) / spread;
    out.judgement.win = 1 / (1 + std::exp(-logit));
    out.margin += points;
}

}  // namespace tengen::mcts
