// The findings of a stage about one root, and their place in the report of the search around it.
#pragma once

#include <vector>

#include "core/search/stage.hpp"

namespace tengen::search {

class Findings {
public:
    void clear() { found_.clear(); }
    // Replace the earlier finding about the move, and a bound of any move, which only told who wins.
    void add(Found found);
    bool is_empty() const { return found_.empty(); }
    const Found& best() const { return found_.front(); }  // there is one
    // The moves found come first, the best of them leading; a line of the report keeps its visits and its prior.
    void lay_over(Report& report) const;

private:
    std::vector<Found> found_;  // by score, the best first
};

}  // namespace tengen::search
