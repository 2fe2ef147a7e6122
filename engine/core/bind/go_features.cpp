// GoState, continued: what networks see of a position.
#include <nanobind/stl/tuple.h>

#include "core/bind/encoding.hpp"
#include "core/bind/go_state.hpp"
#include "core/bind/rows_binding.hpp"
#include "core/go/encoders.hpp"
#include "core/go/katago_features.hpp"

namespace tengen::bind {
namespace {

Encoded katago(const GoState& state, std::vector<int> recent, std::vector<int> banned,
               std::vector<const GoState*> earlier, int symmetry, float doublings, bool has_button, bool hides_end,
               bool suicide_in_life) {
    const Told<GoState> told{std::move(recent), std::move(banned), std::move(earlier), symmetry};
    const go::KataFacts facts{doublings, has_button, hides_end, false, suicide_in_life};
    const auto write = [&](const auto& small, const auto& past, float* planes, float* globals) {
        go::KataV7::encode(small, past, symmetry, planes, globals, facts);
    };
    return encode<go::Sets>(state, told, go::KataV7::set(), write);
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind::bind_go_features(nb::module_& module, nb::class_<GoState>& type) {
    using Moves = std::vector<int>;
    add_sets<go::Sets>(module);
    module.attr("add_feature_set")(go::KataV7::set());
    nb::class_<go::KataFacts>(
        module, "KataFacts",
        "What katago-v7 encodes of a game that no position has (engine/core/go/katago_features.hpp).")
        .def(
            "__init__",
            [](go::KataFacts* self, bool has_button, bool friendly_pass, bool suicide_in_life) {
                new (self) go::KataFacts{0, has_button, false, friendly_pass, suicide_in_life};
            },
            nb::kw_only(), nb::arg("has_button") = false, nb::arg("friendly_pass") = false,
            nb::arg("suicide_in_life") = false);
    bind_rows_of<go::Sets>(module);
    bind_rows<GoState, go::KataV7>(module);
    bind_planes<go::Sets>(type, go::GoV1::set().name.c_str());
    type.def(
        "katago", &katago, nb::arg("recent") = Moves{}, nb::arg("banned") = Moves{},
        nb::arg("earlier") = std::vector<const GoState*>{}, nb::arg("symmetry") = 0, nb::kw_only(),
        nb::arg("doublings") = 0.0F, nb::arg("has_button") = false, nb::arg("hides_end") = false,
        nb::arg("suicide_in_life") = false,
        "float32[planes, height, width] and float32[globals] of katago-v7 (engine/core/go/katago_features.hpp).\n"
        "As `planes`; earlier: the positions before the last moves, newest last. The moves of `recent` alternate:\n"
        "where a side moved twice in a row the past begins. has_button: nobody took it yet; hides_end: see a\n"
        "position whose next pass ends the game as if it did not.");
}
