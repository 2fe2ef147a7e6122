// Exact knowledge of parts of a position, which a game may have beside a network: it corrects the answer to a leaf and
// names a move to look at.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/mcts/backup.hpp"
#include "core/search/bounds.hpp"
#include "core/search/options.hpp"
#include "core/search/stop.hpp"

namespace tengen::mcts {

struct InsightSettings {
    double reading = 0;
    double reading_share = 0.1;
    double reading_leaf = 140;
    double reading_question = 400;
    double reading_urge = 1;
    double reading_least = 8;
    double reading_trust = 0.95;
    double reading_trust_open = 0.95;
    double reading_slope = 1.7;
};

inline constexpr Option<InsightSettings> kInsightOptions[] = {
    {"reading", &InsightSettings::reading, 0, 1e9,
     "nodes for local fights that are read exactly at the root of a run; 0: none is read", Kind::whole},
    {"reading_share", &InsightSettings::reading_share, 0, 1,
     "share of the time of a run that reading its root may take"},
    {"reading_leaf", &InsightSettings::reading_leaf, 0, 1e6,
     "nodes that each visit adds on 19x19, at the root of a run with a bound on visits and below it; in proportion on "
     "other boards",
     Kind::whole},
    {"reading_question", &InsightSettings::reading_question, 1, 1e9, "nodes for one question below the root, at most",
     Kind::whole},
    {"reading_urge", &InsightSettings::reading_urge, 0, 100,
     "how far the logit of a move that decides a fight is below the largest, at most"},
    {"reading_least", &InsightSettings::reading_least, 0, 1000, "points that a fight must be worth for that"},
    {"reading_trust", &InsightSettings::reading_trust, 0, 1, "the owner of a point by proof; the network says -1 to 1"},
    {"reading_trust_open", &InsightSettings::reading_trust_open, 0, 1,
     "the same where the walls of the fight have gaps"},
    {"reading_slope", &InsightSettings::reading_slope, 0, 10,
     "what a standard deviation of the final score adds to the logit of the chance to win"},
};

// How far a cell is player 0's in an answer, -1 to 1. Refers to the function that it is made of.
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
    float points = 0;  // to be added to the margin, + = player 0 ahead
    int move = -1;     // native, that is worth a look; -1: none
};

// One for each tree; used by the thread that drives the tree.
template <class S>
class Insight {
public:
    virtual ~Insight() = default;
    void configure(const InsightSettings& settings) { settings_ = settings; }  // from the next run on
    const InsightSettings& settings() const { return settings_; }
    // The start of a run. Cheap: the work is done by `prepare`.
    virtual void begin(const S& root, const search::Bounds& bounds, const search::StopToken& stop) = 0;
    // Before leaves are collected; ends soon after the stop.
    virtual void prepare() = 0;
    virtual bool is_on() const = 0;
    virtual Correction correct(const S& leaf, int depth, const Owners& owners) = 0;

private:
    InsightSettings settings_;
};

// Move an outcome by points, on the logistic curve whose width is the standard deviation of the final score.
// `has_score`: its margin is in points, else a value from -1 to 1.
inline void shift(Outcome& out, float points, bool has_score, int cells, double slope) {
    constexpr double kLeastSpread = 3;                        // points
    constexpr double kSpreadASide = 0.5, kSpreadAtLeast = 2;  // where the network says none
    constexpr double kLeastChance = 1e-4;                     // so that a lost game can be turned
    if (points == 0) return;
    double spread = kSpreadASide * std::sqrt(static_cast<double>(cells)) + kSpreadAtLeast;
    if (out.final_square >= 0) {
        const double score = static_cast<double>(out.final_score);
        spread = std::sqrt(std::max(0.0, static_cast<double>(out.final_square) - score * score));
        out.final_square += 2 * out.final_score * points + points * points;
        out.final_score += points;
    }
    const double win = std::clamp(out.judgement.win, kLeastChance, 1 - kLeastChance);
    const double logit =
        std::log(win / (1 - win)) + slope * static_cast<double>(points) / std::max(spread, kLeastSpread);
    out.judgement.win = 1 / (1 + std::exp(-logit));
    out.margin = has_score ? out.margin + points : static_cast<float>(2 * out.judgement.win - 1);
}

}  // namespace tengen::mcts
