// One tree of a forest (forest.hpp): a search in steps, and what its evaluator has been asked and has said so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "core/mcts/awaited.hpp"
#include "core/mcts/insight.hpp"
#include "core/mcts/report.hpp"
#include "core/mcts/root_rule.hpp"
#include "core/mcts/search.hpp"
#include "core/mcts/study.hpp"
#include "core/mcts/tree.hpp"
#include "core/mcts/worker.hpp"

namespace tengen::mcts {

template <GameState S>
struct ForestTree {
    ForestTree(const S& root, const Settings& settings)
        : search(root, settings, Awaited()), worker(search.shared(), Awaited(), 1) {
        search.shared().root_rule = &rule;
    }

    PuctSettings& settings() { return *std::get_if<PuctSettings>(&search.shared().settings.rule); }
    bool can_start() {
        if (looks && settings().is_exploring()) return false;  // its moves get other priors
        if (!search.has_room() && in_flight == 0) search.make_room_or_end();
        return search.has_room() && search.may_start();
    }
    // Update the facts about the root for the choice of moves.
    void keep_up() {
        settings().root_margin = search.root_node().margin.load(std::memory_order_relaxed);
        settings().points = static_cast<float>(kPointsASide * std::sqrt(search.shared().state.cells()));
        rule.configure(settings());
    }

    // One simulation; whether its leaf waits for an answer.
    bool try_one(Leaf<S>& leaf) {
        worker.descend(leaf);
        const Node& node = search.arena().node(leaf.node());
        if (std::optional<Outcome> end = worker.known(leaf)) {
            // A certain result has the largest weight.
            if (has_errors && settings().uncertainty > 0) end->weight = static_cast<float>(settings().most_weight);
            if (has_final) end->final_score = end->margin, end->final_square = end->margin * end->margin;
            search.count_started(1);
            count(leaf, *end);
            ++known;
            search.look();  // now, so that it does not depend on the trees beside it when a proof ends the run
            return false;
        }
        if (node.in_flight.load(std::memory_order_relaxed) > 1 || node.has_edges()) {
            worker.cancel(leaf);
            ++collisions;
            if (leaf.depth == 0 && node.has_edges() && search.has_room()) search.finish();  // it may play nothing
            return false;
        }
        search.count_started(1);
        return true;
    }

    // The outcome of an answer for the leaf that asked.
    Outcome outcome_of(const Answer& answer, const Leaf<S>& leaf) {
        const float sign = leaf.state.to_move() == 0 ? 1.0f : -1.0f;
        const float value = sign * (2 * answer.win + answer.draw - 1);
        has_errors = answer.has_errors != 0;
        has_final = answer.has_spread != 0;
        settings().has_points = answer.has_score != 0;
        Outcome out;
        out.margin = answer.has_score ? sign * answer.score : value;
        out.draw = answer.draw;
        out.judgement = {0.5 + 0.5 * std::clamp(static_cast<double>(value), -1.0, 1.0), 1};
        out.weight = weight_of(settings(), answer, out.margin - settings().root_margin);
        if (has_final) out.final_score = sign * answer.mean, out.final_square = answer.square;
        out.is_said = true;
        if constexpr (HasLocality<S>)
            if (leaf.depth > 0) out.locality = leaf.state.locality();
        return out;
    }

    void count(const Leaf<S>& leaf, const Outcome& outcome) {
        has_news = true;
        worker.back_up(leaf, outcome);
        worker.note_depth(leaf);
    }

    Search<S, Awaited> search;
    Worker<S, Awaited> worker;
    Study study;
    std::vector<S> earlier;  // positions before the last moves to the root, newest last
    RootRule rule;
    std::unique_ptr<Insight<S>> insight;  // of the game, if it has any
    bool wants_look = false, has_errors = false, has_final = false;
    bool has_news = false;  // since it was looked whether the run is over
    int in_flight = 0, looks = 0;
    std::uint64_t runs = 0;
    std::uint64_t answered = 0, known = 0, collisions = 0, cached = 0;

private:
    static constexpr double kPointsASide = 0.75;  // of PuctSettings::points
};

}  // namespace tengen::mcts
