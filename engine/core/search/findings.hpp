// What a stage has found of one root so far, and how it shows in the report of the search around it.
#pragma once

#include <vector>

#include "core/search/stage.hpp"

namespace tengen::search {

class Findings {
public:
    void clear() { found_.clear(); }
    // What was known of the move before gives way, and so does a bound of any move: it was there to say who wins.
    void add(Found found);
    bool is_empty() const { return found_.empty(); }
    const Found& best() const { return found_.front(); }  // there is one
    // The moves found come first, the best of them leading; a line of the report keeps its visits and its prior.
    void lay_over(Report& report) const;

private:
    std::vector<Found> found_;  // by score, the best first
};

}  // namespace tengen::search
