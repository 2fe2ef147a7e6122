#include "core/search/findings.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tengen::search {
namespace {

// Take the line of a move out of the report; a line without visits when it has none.
Line taken(std::vector<Line>& lines, int move) {
    const auto at = std::find_if(lines.begin(), lines.end(), [move](const Line& line) { return line.move == move; });
    if (at == lines.end()) return {};
    Line line = std::move(*at);
    lines.erase(at);
    return line;
}

void tell(const Found& found, Line& line) {
    line.move = found.move;
    line.win = line.lcb = 0.5 + 0.5 * found.result;
    line.draw = found.result == 0 ? 1 : 0;
    line.score = found.score;
    line.is_proved = true;
    line.proof = found.result;
    line.bound = found.bound;
    line.depth = line.seldepth = found.depth;
    if (!found.pv.empty()) line.pv = found.pv;
    if (line.pv.empty()) line.pv = {found.move};
}

}  // namespace

void Findings::add(Found found) {
    std::erase_if(found_, [&](const Found& old) { return old.move == found.move || old.bound != Bound::exact; });
    const auto at = std::upper_bound(found_.begin(), found_.end(), found.score,
                                     [](double score, const Found& other) { return score > other.score; });
    found_.insert(at, std::move(found));
}

void Findings::lay_over(Report& report) const {
    if (found_.empty()) return;
    std::vector<Line> lines;
    for (const Found& found : found_) tell(found, lines.emplace_back(taken(report.lines, found.move)));
    std::move(report.lines.begin(), report.lines.end(), std::back_inserter(lines));
    report.lines = std::move(lines);
    const Line& best = report.lines.front();
    report.win = best.win;
    report.draw = best.draw;
    report.score = best.score;
}

}  // namespace tengen::search
