// _tengen_units: parts of the core alone, for tables in Python: of the tree search here (test_mcts_units.py), of many
// trees in forest.cpp (test_mcts_forest.py), of what a game knows beside an evaluator in insight.cpp
// (test_mcts_insight.py), of one that a network answers at once in answering.cpp (test_mcts_answering.py), of gomoku's
// searches of fours in fours.cpp (test_gomoku_fours.py) and in lines.cpp (test_gomoku_line_board.py), of wins that it
// claims in replay.cpp (test_gomoku_claims.py), of stages in stages.cpp (test_stages.py), of self-play in selfplay.cpp
// (test_selfplay_units.py), of Reversi's solver in solver.cpp (test_reversi_solver.py), of
// options and of alpha-beta's time in options.cpp (test_core_options.py, test_alphabeta_time.py).
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../toy/morris.hpp"
#include "core/mcts/arena.hpp"
#include "core/mcts/backup.hpp"
#include "core/mcts/choose.hpp"

void bind_answering(nanobind::module_& module);
void bind_bias(nanobind::module_& module);
void bind_forest(nanobind::module_& module);
void bind_fours(nanobind::module_& module);
void bind_insight(nanobind::module_& module);
void bind_lines(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_replay(nanobind::module_& module);
void bind_root(nanobind::module_& module);
void bind_selfplay(nanobind::module_& module);
void bind_solver(nanobind::module_& module);
void bind_stages(nanobind::module_& module);

namespace nb = nanobind;
using namespace tengen;
using mcts::Arena;
using mcts::Edge;
using mcts::Node;
using mcts::Proof;

namespace {

// What `choose` and `value_of` ask of an evaluator.
struct Playouts {
    static constexpr bool kUsesAmaf = false;
};
struct Amaf {
    static constexpr bool kUsesAmaf = true;
};
struct Policy {
    static constexpr bool kUsesAmaf = false, kPolicyPriors = true, kMarginIsValue = true;
};
using Moves = std::array<bool, 1024>;  // that the root may not play

// One move as a table gives it: the mean and the proof are for who moves there.
struct Child {
    int move = 0;
    std::uint32_t visits = 0;
    std::uint16_t in_flight = 0;
    double mean = 0.5;
    float margin = 0;
    float prior_wins = 0, prior_visits = 0;
    std::uint16_t amaf_visits = 0;
    float amaf_wins = 0;
    int low = -1, high = 1;
    bool excluded = false;
};

// An arena with a root and its moves.
template <class E>
struct Family {
    Arena arena{1 << 20};
    Moves excluded{};
    std::uint32_t root = 0, begin = 0;

    Family(const std::vector<Child>& children, bool complete) {
        root = arena.new_node();
        begin = arena.new_edges(static_cast<int>(children.size()));
        Node& node = arena.node(root);
        node.complete = complete;
        double total = 0;
        std::uint32_t visits = 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child& child = children[i];
            Edge& edge = arena.edge(begin + static_cast<std::uint32_t>(i));
            edge.move = static_cast<std::uint16_t>(child.move);
            edge.prior = mcts::pack(E(), {child.prior_wins, child.prior_visits});
            edge.amaf_visits.store(child.amaf_visits);
            edge.amaf_value.store(child.amaf_wins);
            excluded.at(edge.move) = child.excluded;
            visits += child.visits;
            total += (1 - child.mean) * child.visits;
            if (child.visits + child.in_flight == 0 && child.low < 0 && child.high > 0) continue;
            const std::uint32_t below = arena.new_node();
            edge.node.store(below);
            arena.node(below).visits.store(child.visits);
            arena.node(below).in_flight.store(child.in_flight);
            arena.node(below).value.store(static_cast<std::int64_t>(child.mean * child.visits * Node::kUnit));
            arena.node(below).margin.store(child.margin);
            arena.node(below).proof.store(Proof(child.low, child.high));
        }
        node.visits.store(visits);
        node.in_flight.store(1);  // the one that comes here
        node.value.store(static_cast<std::int64_t>(total * Node::kUnit));
        node.edge_count = static_cast<std::uint16_t>(children.size());
        node.edges.store(begin);
        for (std::uint32_t i = 0; i < node.edge_count; ++i)
            if (const Node* below = arena.below(arena.edge(begin + i))) mcts::update_proof(arena, node, *below);
    }
};

template <class E>
int choose(const std::vector<Child>& children, const typename mcts::RuleOf<E>::Settings& settings, bool at_root,
           int player) {
    Family<E> family(children, true);
    const std::uint32_t chosen = mcts::choose(family.arena, family.arena.node(family.root), settings, E(),
                                              at_root ? &family.excluded : nullptr, player);
    return chosen ? static_cast<int>(chosen - family.begin) : -1;
}

// (low, high) of a node after the proof of a move of it was backed up.
std::vector<int> proof_after(const std::vector<Child>& children, int reply, bool complete) {
    Family<Playouts> family(children, complete);
    Node& node = family.arena.node(family.root);
    node.proof.store(Proof());
    const Edge& edge = family.arena.edge(family.begin + static_cast<std::uint32_t>(reply));
    if (const Node* below = family.arena.below(edge)) mcts::update_proof(family.arena, node, *below);
    return {node.proof.load().low(), node.proof.load().high()};
}

std::vector<std::vector<double>> amaf_after(const std::vector<Child>& children, const std::vector<int>& first,
                                            int player, double value) {
    Family<Amaf> family(children, true);
    std::array<std::int8_t, toy::State::kMoveBound> played{};
    played.fill(-1);
    for (std::size_t i = 0; i < first.size(); ++i) played.at(i) = static_cast<std::int8_t>(first[i]);
    mcts::update_amaf<toy::State>(family.arena, family.arena.node(family.root), played, player, value);
    std::vector<std::vector<double>> out;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        const Edge& edge = family.arena.edge(family.begin + i);
        out.push_back({static_cast<double>(edge.amaf_visits.load()), static_cast<double>(edge.amaf_value.load())});
    }
    return out;
}

// Visits, those in flight, mean, draws and margin of a node after these results (value, draw, margin).
std::vector<double> counted(const std::vector<std::vector<double>>& results, bool alone) {
    Node node;
    for (const auto& result : results) {
        node.in_flight.fetch_add(1);
        mcts::count(node, result.at(0), {static_cast<float>(result.at(2)), static_cast<float>(result.at(1)), {0, 0}},
                    alone);
    }
    return {static_cast<double>(node.visits.load()), static_cast<double>(node.in_flight.load()), node.mean(),
            static_cast<double>(node.draw.load()), static_cast<double>(node.margin.load())};
}

template <class E>
std::vector<float> packed(float wins, float visits) {
    const Prior prior = mcts::unpack(E(), mcts::pack(E(), {wins, visits}));
    return {prior.wins, prior.visits};
}

}  // namespace

NB_MODULE(_tengen_units, module) {
    bind_answering(module);
    bind_bias(module);
    bind_forest(module);
    bind_fours(module);
    bind_insight(module);
    bind_lines(module);
    bind_options(module);
    bind_replay(module);
    bind_root(module);
    bind_selfplay(module);
    bind_solver(module);
    bind_stages(module);
    nb::class_<Child>(module, "Child")
        .def(nb::init<>())
        .def_rw("move", &Child::move)
        .def_rw("visits", &Child::visits)
        .def_rw("mean", &Child::mean)
        .def_rw("margin", &Child::margin)
        .def_rw("prior_wins", &Child::prior_wins)
        .def_rw("prior_visits", &Child::prior_visits)
        .def_rw("amaf_visits", &Child::amaf_visits)
        .def_rw("amaf_wins", &Child::amaf_wins)
        .def_rw("in_flight", &Child::in_flight)
        .def_rw("low", &Child::low)
        .def_rw("high", &Child::high)
        .def_rw("excluded", &Child::excluded);
    nb::class_<mcts::UctSettings>(module, "UctSettings")
        .def(nb::init<>())
        .def_rw("c", &mcts::UctSettings::c)
        .def_rw("rave_equivalence", &mcts::UctSettings::rave_equivalence)
        .def_rw("first_play_value", &mcts::UctSettings::first_play_value);
    nb::class_<mcts::PuctSettings>(module, "PuctSettings")
        .def(nb::init<>())
        .def_rw("c", &mcts::PuctSettings::c)
        .def_rw("c_log", &mcts::PuctSettings::c_log)
        .def_rw("c_base", &mcts::PuctSettings::c_base)
        .def_rw("fpu_reduction", &mcts::PuctSettings::fpu_reduction)
        .def_rw("fpu_by_policy", &mcts::PuctSettings::fpu_by_policy)
        .def_rw("root_fpu_reduction", &mcts::PuctSettings::root_fpu_reduction)
        .def_rw("score_utility", &mcts::PuctSettings::score_utility)
        .def_rw("c_spread", &mcts::PuctSettings::c_spread)
        .def_rw("spread", &mcts::PuctSettings::spread)
        .def_rw("uncertainty", &mcts::PuctSettings::uncertainty)
        .def_rw("virtual_loss", &mcts::PuctSettings::virtual_loss)
        .def_rw("most_weight", &mcts::PuctSettings::most_weight)
        .def_rw("root_temperature", &mcts::PuctSettings::root_temperature)
        .def_rw("noise", &mcts::PuctSettings::noise)
        .def_rw("noise_concentration", &mcts::PuctSettings::noise_concentration)
        .def_rw("forced", &mcts::PuctSettings::forced)
        .def_rw("gumbel", &mcts::PuctSettings::gumbel)
        .def_rw("considered", &mcts::PuctSettings::considered)
        .def_rw("c_visit", &mcts::PuctSettings::c_visit)
        .def_rw("c_scale", &mcts::PuctSettings::c_scale)
        .def_rw("root_margin", &mcts::PuctSettings::root_margin)
        .def_rw("points", &mcts::PuctSettings::points);
    nb::class_<Arena>(module, "Arena")
        .def(nb::init<std::size_t>())
        .def("new_node", &Arena::new_node)
        .def("new_edges", &Arena::new_edges)
        .def("lead", [](Arena& arena, std::uint32_t edge, std::uint32_t node) { arena.edge(edge).node.store(node); })
        .def("adopt",
             [](Arena& arena, std::uint32_t node, std::uint32_t edges, int count) {
                 arena.node(node).edge_count = static_cast<std::uint16_t>(count);
                 arena.node(node).edges.store(edges);
             })
        .def("release_node", &Arena::release_node)
        .def("release_edges", &Arena::release_edges)
        .def("defragment", [](Arena& arena) { arena.defragment(search::StopToken()); })
        .def("clear", &Arena::clear)
        .def_prop_ro("capacity", &Arena::capacity)
        .def_prop_ro("used", &Arena::used)
        .def_prop_ro("nodes", &Arena::nodes);
    module.attr("CELL") = static_cast<int>(Arena::kCell);
    module.attr("NODE_BYTES") = sizeof(Node);
    module.attr("EDGE_BYTES") = sizeof(Edge);
    module.def("counted", &counted);
    module.def("packed_visits", &packed<Playouts>);
    module.def("packed_policy", &packed<Policy>);
    const auto add = [&](const char* name, auto function) {
        module.def(name, function, nb::arg("children"), nb::arg("settings"), nb::arg("at_root"), nb::arg("player") = 0);
    };
    add("choose_playouts", &choose<Playouts>);
    add("choose_amaf", &choose<Amaf>);
    add("choose_policy", &choose<Policy>);
    module.def("proof_after", &proof_after);
    module.def("amaf_after", &amaf_after);
    module.def("value_of_result", &mcts::value_of<Playouts>);
    module.def("value_of_estimate", &mcts::value_of<Policy>);
}
