// Trees of three men's morris whose game knows something for certain beside the made-up evaluator, and the shift of an
// outcome. test_mcts_insight.py asks them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include "../toy/features.hpp"
#include "../toy/morris.hpp"
#include "core/mcts/forest.hpp"
#include "made_up.hpp"

namespace nb = nanobind;
using namespace tengen;
using Forest = mcts::Forest<toy::State, toy::MorrisV1>;

namespace {

// Knows that player 0 has so many points more than is said, and a move of the root.
class Hint final : public mcts::Insight<toy::State> {
public:
    Hint(float points, int move, std::vector<float>& owners) : points_(points), move_(move), owners_(owners) {}
    void begin(const toy::State&, const search::Bounds&, const search::StopToken&) override { is_ready_ = false; }
    void prepare() override { is_ready_ = true; }
    bool is_on() const override { return is_ready_; }
    mcts::Correction correct(const toy::State& leaf, int depth, const mcts::Owners& owners) override {
        if (depth == 0)
            for (int cell = 0; cell < leaf.cells(); ++cell) owners_.push_back(owners(cell));
        return {points_, depth == 0 ? move_ : -1};
    }

private:
    float points_;
    int move_;
    std::vector<float>& owners_;
    bool is_ready_ = false;
};

// What a tree from the first position found: the root's mean for who moved there, (move, prior) of its moves, visits of
// each, the owners that were seen of the root.
using Found = std::tuple<double, std::vector<std::pair<int, double>>, std::vector<int>, std::vector<float>>;

Found search_with_hint(int answers, bool has_hint, float points, int move, double urge, float owner) {
    mcts::Settings settings;
    settings.rule = mcts::PuctSettings{.c = 1.5, .fpu_reduction = 0.2};
    Forest forest(std::vector<toy::State>(1), {}, settings, 1 << 20, {});
    Found found;
    if (has_hint) {
        auto hint = std::make_unique<Hint>(points, move, std::get<3>(found));
        mcts::InsightSettings told;
        told.reading_urge = urge;
        hint->configure(told);
        forest.inform(0, std::move(hint));
        forest.begin(0, toy::State(), {}, {}, {}, search::StopToken());
    }
    std::array<float, toy::State::kCells> owners;
    owners.fill(owner);
    for (int asked = 0; asked < answers;) {
        const auto batch = forest.collect(1);
        if (batch.empty()) break;
        asked += static_cast<int>(batch.size());
        const toy::State& leaf = batch[0].leaf->state;
        const auto policy = toy::policy_of(leaf);
        const std::vector<mcts::Answer> answer{{{0.5f + 0.5f * toy::value_of(leaf)}, policy, owners}};
        forest.deliver(batch, answer);
    }
    const mcts::Node& root = forest.root(0);
    std::get<0>(found) = root.mean();
    for (std::uint32_t i = 0; i < root.edge_count; ++i) {
        const mcts::Edge& edge = forest.arena(0).edge(root.edges.load() + i);
        std::get<1>(found).emplace_back(edge.move, forest.policy(0).at(i));
        const mcts::Node* below = forest.arena(0).below(edge);
        std::get<2>(found).push_back(below ? static_cast<int>(below->visits.load()) : 0);
    }
    return found;
}

// Chance to win, margin, final score and its square after a shift.
std::vector<double> shifted(double win, float margin, float score, float square, float points, bool has_score,
                            int cells, double slope) {
    mcts::Outcome out;
    out.judgement = {win, 1};
    out.margin = margin;
    out.final_score = score;
    out.final_square = square;
    mcts::shift(out, points, has_score, cells, slope);
    return {out.judgement.win, static_cast<double>(out.margin), static_cast<double>(out.final_score),
            static_cast<double>(out.final_square)};
}

}  // namespace

void bind_insight(nb::module_& module) {
    module.def("search_with_hint", &search_with_hint);
    module.def("shifted", &shifted);
}
