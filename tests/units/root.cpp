// What the root does otherwise, and how visits weigh: test_mcts_root.py and test_mcts_weights.py ask it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>
#include <vector>

#include "core/mcts/backup.hpp"
#include "core/mcts/cache.hpp"
#include "core/mcts/root_rule.hpp"

namespace nb = nanobind;
using namespace tengen;
using mcts::Arena;
using mcts::Node;

namespace {

using Moves = std::array<bool, 1024>;

// A root with so many moves, without visits.
struct Root {
    Arena arena;
    Moves excluded{};
    std::uint32_t root, begin;

    Root(std::size_t moves, bool has_spread)
        : arena(1 << 20, has_spread), root(arena.new_node()), begin(arena.new_edges(static_cast<int>(moves))) {
        for (std::size_t i = 0; i < moves; ++i)
            arena.edge(begin + static_cast<std::uint32_t>(i)).move = static_cast<std::uint16_t>(i);
        node().edge_count = static_cast<std::uint16_t>(moves);
        node().edges.store(begin);
    }
    Node& node() { return arena.node(root); }
    // A visit of a node and of the root, whose value is the other side's.
    void visit(std::uint32_t edge, double value, float weight) {
        mcts::Outcome outcome;
        outcome.weight = weight;
        auto& below = arena.edge(edge).node;
        if (!below.load()) below.store(arena.new_node());
        for (Node* one : {&node(), &arena.node(below.load())}) {
            one->in_flight.fetch_add(1);
            mcts::count(*one, arena.spread(*one), one == &node() ? 1 - value : value, outcome, true);
        }
    }
};

// A root whose moves win what `values` say: the moves in the order in which they were visited, the noise, what is
// played, the target.
struct Halved {
    std::vector<int> visited;
    std::vector<double> gumbels;
    int played = -1;
    std::vector<double> target;
};
Halved halve(const mcts::PuctSettings& settings, const std::vector<double>& logits, const std::vector<double>& values,
             double value, std::uint32_t simulations, std::uint64_t seed) {
    Root root(logits.size(), true);
    mcts::RootRule rule;
    rule.begin(settings, simulations, seed);
    rule.learn(root.arena, root.node(), logits, value);
    Halved out;
    for (std::uint32_t i = 0; i < simulations; ++i) {
        const std::uint32_t edge = rule.next(root.arena, root.node(), root.excluded);
        if (!edge) break;
        out.visited.push_back(static_cast<int>(edge - root.begin));
        root.visit(edge, values[edge - root.begin], 1);
    }
    out.gumbels = rule.gumbels();
    const std::uint32_t best = rule.best(root.arena, root.node(), root.excluded);
    out.played = best ? static_cast<int>(best - root.begin) : -1;
    for (const auto& [move, share] : rule.target(root.arena, root.node(), root.excluded, 0))
        out.target.push_back(share);
    return out;
}

// The priors that a root gets.
std::vector<double> root_priors(const mcts::PuctSettings& settings, const std::vector<double>& logits,
                                std::uint64_t seed) {
    Root root(logits.size(), true);
    mcts::RootRule rule;
    rule.begin(settings, 0, seed);
    rule.learn(root.arena, root.node(), logits, 0.5);
    std::vector<double> out;
    for (std::size_t i = 0; i < logits.size(); ++i)
        out.push_back(static_cast<double>(
            std::bit_cast<float>(root.arena.edge(root.begin + static_cast<std::uint32_t>(i)).prior)));
    return out;
}

// The move that is forced next, -1: none; of moves with these visits and logits.
int forced_move(const mcts::PuctSettings& settings, const std::vector<double>& logits, const std::vector<int>& visits) {
    Root root(logits.size(), true);
    mcts::RootRule rule;
    rule.begin(settings, 0, 1);
    rule.learn(root.arena, root.node(), logits, 0.5);
    for (std::size_t i = 0; i < visits.size(); ++i)
        for (int n = 0; n < visits[i]; ++n) root.visit(root.begin + static_cast<std::uint32_t>(i), 0.5, 1);
    const std::uint32_t edge = rule.next(root.arena, root.node(), root.excluded);
    return edge ? static_cast<int>(edge - root.begin) : -1;
}

std::vector<std::uint32_t> pruned(const std::vector<double>& priors, const std::vector<double>& values,
                                  const std::vector<std::uint32_t>& visits, double forced, double scale) {
    std::vector<mcts::Visited> moves;
    for (std::size_t i = 0; i < priors.size(); ++i) moves.push_back({priors[i], values[i], visits[i]});
    return mcts::pruned(moves, forced, scale);
}

// After visits of a node's moves (edge, value, weight): of the node its mean, weight and mean square; the bonus of a
// move of prior 1 without visits; what each move is worth with prior 0, in its order.
struct Weighed {
    double mean, weight, square, bonus;
    std::vector<double> worth;
};
Weighed weigh(const mcts::PuctSettings& settings, std::size_t moves, const std::vector<std::vector<double>>& visits,
              bool at_root, bool has_spread, const std::vector<double>& priors) {
    Root root(moves, has_spread);
    for (std::size_t i = 0; i < moves; ++i)
        root.arena.edge(root.begin + static_cast<std::uint32_t>(i)).prior =
            std::bit_cast<std::uint32_t>(static_cast<float>(priors[i]));
    for (const auto& visit : visits)
        root.visit(root.begin + static_cast<std::uint32_t>(visit[0]), visit[1], static_cast<float>(visit[2]));
    const Node& node = root.node();
    const mcts::Puct worth(settings, root.arena, node, at_root ? &root.excluded : nullptr, 0);
    const mcts::Spread* spread = root.arena.spread(node);
    Weighed out{node.mean(),
                spread ? static_cast<double>(spread->weight.load()) : 0,
                spread ? static_cast<double>(spread->square.load()) : 0,
                static_cast<double>(worth.bonus(1, 0)),
                {}};
    for (std::size_t i = 0; i < moves; ++i) {
        const mcts::Edge& edge = root.arena.edge(root.begin + static_cast<std::uint32_t>(i));
        const Node* below = root.arena.below(edge);
        const float n = below ? static_cast<float>(below->started()) : 0,
                    sum = below ? static_cast<float>(below->mean()) * n : 0;
        out.worth.push_back(static_cast<double>(worth(edge, {0, 0}, n, sum, below)));
    }
    return out;
}

double answer_weight(const mcts::PuctSettings& settings, float value_error, float score_error, float ahead) {
    mcts::AnswerFacts facts;
    facts.value_error = value_error;
    facts.score_error = score_error;
    facts.has_errors = 1;
    return static_cast<double>(mcts::weight_of(settings, facts, ahead));
}

std::vector<double> dirichlet(const std::vector<double>& shape, std::uint64_t seed) {
    Random random(seed);
    return mcts::dirichlet_sample(shape, random);
}

std::pair<std::uint64_t, std::uint64_t> key(const std::vector<float>& planes, const std::vector<float>& globals,
                                            bool is_root) {
    const auto key = mcts::key_of(planes, globals, is_root);
    return {key.low, key.high};
}

// A cache of so many bytes after answers for keys 0..n-1, each its number as policy: how many fit, and which it still
// has.
std::pair<std::size_t, std::vector<int>> kept(std::size_t bytes, int n) {
    mcts::AnswerCache cache(bytes);
    const auto key = [](int i) {
        std::uint64_t seed = static_cast<std::uint64_t>(i);
        return mcts::AnswerKey{splitmix64(seed), 7};
    };
    for (int i = 0; i < n; ++i) {
        const std::vector<float> policy(82, static_cast<float>(i)), owners(81, -1);
        mcts::Answer answer;
        answer.win = 0.25f;
        answer.policy = policy;
        answer.owners = owners;
        cache.keep(key(i), answer);
    }
    std::vector<int> out;
    for (int i = 0; i < n; ++i)
        if (const auto found = cache.find(key(i)))
            out.push_back(found->policy.size() == 82 && found->owners.size() == 81 && found->owners[80] == -1 &&
                                  found->win == 0.25f
                              ? static_cast<int>(found->policy[81])
                              : -1);
    return {cache.capacity(), out};
}

}  // namespace

void bind_root(nb::module_& module) {
    nb::class_<Halved>(module, "Halved")
        .def_ro("visited", &Halved::visited)
        .def_ro("gumbels", &Halved::gumbels)
        .def_ro("played", &Halved::played)
        .def_ro("target", &Halved::target);
    nb::class_<Weighed>(module, "Weighed")
        .def_ro("mean", &Weighed::mean)
        .def_ro("weight", &Weighed::weight)
        .def_ro("square", &Weighed::square)
        .def_ro("bonus", &Weighed::bonus)
        .def_ro("worth", &Weighed::worth);
    module.def("halve", &halve);
    module.def("root_priors", &root_priors);
    module.def("forced_move", &forced_move);
    module.def("pruned", &pruned);
    module.def("weigh", &weigh);
    module.def("answer_weight", &answer_weight);
    module.def("noise_shape", &mcts::noise_shape);
    module.def("dirichlet", &dirichlet);
    module.def("answer_key", &key);
    module.def("kept_answers", &kept);
}
