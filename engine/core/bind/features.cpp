// The feature sets that this build encodes, as Python lists them. A game's binding adds its own.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/bind/bind.hpp"
#include "core/features.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

std::vector<FeatureSet>& sets() {
    static std::vector<FeatureSet> all;
    return all;
}

void add(const FeatureSet& set) {
    for (FeatureSet& known : sets())
        if (known.game == set.game && known.name == set.name) {
            known = set;
            return;
        }
    sets().push_back(set);
}

int moves(const FeatureSet& set, int width, int height) {
    return set.moves ? set.moves(width, height) : set.policy_size(width, height);
}

int policy_index(const FeatureSet& set, int move, int width, int height, int symmetry) {
    if (move < 0 || move >= moves(set, width, height)) throw nb::value_error("no move of this board");
    if (symmetry < 0 || symmetry >= set.symmetries(width, height)) throw nb::value_error("no symmetry of this board");
    return set.policy_index(move, width, height, symmetry);
}

}  // namespace

void bind_features(nb::module_& module) {
    nb::class_<FeatureSet>(module, "FeatureSet",
                           "What networks see of a game's positions and say of its moves (engine/core/features.hpp).")
        .def_ro("game", &FeatureSet::game)
        .def_ro("name", &FeatureSet::name, "Name and version, \"go-v1\".")
        .def_ro("planes", &FeatureSet::planes, "What each plane says; height x width floats from the mover's view.")
        .def_ro("globals", &FeatureSet::globals, "What each number says that is told of the whole position.")
        .def_ro("recent", &FeatureSet::recent, "How many last moves are encoded.")
        .def_ro("earlier", &FeatureSet::earlier, "How many positions before them are.")
        .def_ro("has_komi", &FeatureSet::has_komi)
        .def_ro("has_rules", &FeatureSet::has_rules)
        .def(
            "symmetries", [](const FeatureSet& s, int width, int height) { return s.symmetries(width, height); },
            nb::arg("width"), nb::arg("height"), "Symmetries 0 (none) and up of such a board.")
        .def(
            "policy_size", [](const FeatureSet& s, int width, int height) { return s.policy_size(width, height); },
            nb::arg("width"), nb::arg("height"), "How many numbers a network says of the moves.")
        .def("moves", &moves, nb::arg("width"), nb::arg("height"), "How many dense moves have a place among them.")
        .def("policy_index", &policy_index, nb::arg("move"), nb::arg("width"), nb::arg("height"),
             nb::arg("symmetry") = 0, "Where among them a dense move's is, the position seen through a symmetry.");
    module.def("feature_sets", &sets, nb::rv_policy::copy, "All that this build encodes.");
    module.def("add_feature_set", &add, nb::arg("features"), "For native modules of further games.");
}

}  // namespace tengen
