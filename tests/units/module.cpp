// _tengen_units: parts of the core alone, for tables in Python: of the tree search here (test_mcts_units.py), of
// gomoku's search of fours in fours.cpp (test_gomoku_fours.py).
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/mcts/backup.hpp"
#include "core/mcts/choose.hpp"
#include "core/mcts/interface.hpp"
#include "core/mcts/node.hpp"
#include "../toy/morris.hpp"

void bind_fours(nanobind::module_& module);

namespace nb = nanobind;
using namespace tengen;
using mcts::Arena;
using mcts::Node;
using mcts::Settings;

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

// One child as a table gives it: the mean is for who moved there.
struct Child {
    int move = 0;
    std::uint32_t visits = 0;
    double mean = 0.5;
    float prior_wins = 0, prior_visits = 0;
    std::uint32_t amaf_visits = 0;
    float amaf_wins = 0;
    int proof = 0;
    bool excluded = false;
};

// An arena with a root and its children.
struct Family {
    Arena arena{1 << 20};
    std::uint32_t root = 0, begin = 0;

    Family(const std::vector<Child>& children, bool complete) {
        root = arena.allocate(1);
        Node& node = arena[root];
        node.reset(0, 0, 0);
        node.complete = complete;
        begin = arena.allocate(static_cast<int>(children.size()));
        double total = 0;
        std::uint32_t visits = 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child& child = children[i];
            Node& made = arena[begin + static_cast<std::uint32_t>(i)];
            made.reset(child.move, child.prior_wins, child.prior_visits);
            made.visits.store(child.visits);
            made.value.store(static_cast<std::int64_t>(child.mean * child.visits * Node::kUnit));
            made.amaf_visits.store(child.amaf_visits);
            made.amaf_value.store(child.amaf_wins);
            made.proof.store(static_cast<std::int8_t>(child.proof));
            made.excluded = child.excluded;
            visits += child.visits;
            total += (1 - child.mean) * child.visits;
        }
        node.visits.store(visits + 1);  // the one that comes here
        node.value.store(static_cast<std::int64_t>(total * Node::kUnit));
        node.child_count = static_cast<std::uint16_t>(children.size());
        node.children.store(begin);
    }
};

template <class E>
int choose(const std::vector<Child>& children, const Settings& settings, bool at_root) {
    Family family(children, true);
    const std::uint32_t chosen = mcts::choose<E>(family.arena, family.arena[family.root], settings, at_root);
    return chosen ? static_cast<int>(chosen - family.begin) : -1;
}

int proof_after(const std::vector<Child>& children, int reply, bool complete) {
    Family family(children, complete);
    Node& node = family.arena[family.root];
    mcts::update_proof(family.arena, node, family.arena[family.begin + static_cast<std::uint32_t>(reply)]);
    return node.proof.load();
}

std::vector<std::vector<double>> amaf_after(const std::vector<Child>& children, const std::vector<int>& first,
                                            int player, double value) {
    Family family(children, true);
    std::array<std::int8_t, toy::State::kMoveBound> played{};
    played.fill(-1);
    for (std::size_t i = 0; i < first.size(); ++i) played.at(i) = static_cast<std::int8_t>(first[i]);
    mcts::update_amaf<toy::State>(family.arena, family.arena[family.root], played, player, value);
    std::vector<std::vector<double>> out;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        const Node& child = family.arena[family.begin + i];
        out.push_back({static_cast<double>(child.amaf_visits.load()), static_cast<double>(child.amaf_value.load())});
    }
    return out;
}

}  // namespace

NB_MODULE(_tengen_units, module) {
    bind_fours(module);
    nb::class_<Child>(module, "Child")
        .def(nb::init<>())
        .def_rw("move", &Child::move)
        .def_rw("visits", &Child::visits)
        .def_rw("mean", &Child::mean)
        .def_rw("prior_wins", &Child::prior_wins)
        .def_rw("prior_visits", &Child::prior_visits)
        .def_rw("amaf_visits", &Child::amaf_visits)
        .def_rw("amaf_wins", &Child::amaf_wins)
        .def_rw("proof", &Child::proof)
        .def_rw("excluded", &Child::excluded);
    nb::class_<Settings>(module, "Settings")
        .def(nb::init<>())
        .def_rw("c", &Settings::c)
        .def_rw("rave_equivalence", &Settings::rave_equivalence)
        .def_rw("first_play_value", &Settings::first_play_value)
        .def_rw("fpu_reduction", &Settings::fpu_reduction);
    nb::class_<Arena>(module, "Arena")
        .def(nb::init<std::size_t>())
        .def("allocate",
             [](Arena& arena, int count) {
                 const std::uint32_t index = arena.allocate(count);
                 for (int i = 0; index && i < count; ++i) arena[index + static_cast<std::uint32_t>(i)].reset(i, 0, 0);
                 return index;
             })
        .def("adopt",
             [](Arena& arena, std::uint32_t node, std::uint32_t children, int count) {
                 arena[node].child_count = static_cast<std::uint16_t>(count);
                 arena[node].children.store(children);
             })
        .def("release", &Arena::release)
        .def("defragment",
             [](Arena& arena) {
                 const std::atomic<bool> stop{false};
                 arena.defragment(stop);
             })
        .def("clear", &Arena::clear)
        .def_prop_ro("capacity", &Arena::capacity)
        .def_prop_ro("used", &Arena::used);
    module.attr("NODE_BYTES") = sizeof(Node);
    module.def("choose_playouts", &choose<Playouts>);
    module.def("choose_amaf", &choose<Amaf>);
    module.def("choose_policy", &choose<Policy>);
    module.def("proof_after", &proof_after);
    module.def("amaf_after", &amaf_after);
    module.def("value_of_result", &mcts::value_of<Playouts>);
    module.def("value_of_estimate", &mcts::value_of<Policy>);
}
