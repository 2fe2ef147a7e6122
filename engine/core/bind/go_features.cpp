// GoState, continued: what networks see of a position.
#include <nanobind/stl/tuple.h>

#include "core/bind/go_state.hpp"
#include "core/bind/rows_binding.hpp"
#include "core/go/features.hpp"
#include "core/go/katago_features.hpp"
#include "core/symmetry.hpp"

namespace tengen::bind {
namespace {

using Array3 = decltype(make_array<float>(1, 1, 1));
using Array1 = decltype(make_array<float>(1));
using Encoded = std::tuple<Array3, Array1>;

// What a caller tells of a position's past: dense moves, positions.
struct Told {
    std::vector<int> recent, banned;
    std::vector<const GoState*> earlier;
    int symmetry;
};

void check(const GoState& state, const Told& told) {
    const GoBoard& board = state.board();
    if (told.symmetry < 0 || told.symmetry >= symmetry_count(board.width(), board.height()))
        throw nb::value_error("no symmetry of this board");
    for (int move : told.recent)
        if (move != -1 && move != state.cells()) point_of(state, move);
    for (int cell : told.banned) point_of(state, cell);
    for (const GoState* before : told.earlier)
        if (before == nullptr || before->width() != board.width() || before->height() != board.height())
            throw nb::value_error("an earlier position is of another size");
}

template <class F, class... Facts>
Encoded encode(const GoState& state, const Told& told, const Facts&... facts) {
    check(state, told);
    auto planes = make_array<float>(F::set().planes.size(), state.height(), state.width());
    auto globals = make_array<float>(F::set().globals.size());
    float *const planes_at = planes.data(), *const globals_at = globals.data();
    const nb::gil_scoped_release release;
    on_smallest(state, [&](const auto& small) {
        using S = std::decay_t<decltype(small)>;
        std::vector<int> recent, banned;
        for (int move : told.recent) recent.push_back(move == -1 ? -1 : small.from_dense(move));
        for (int cell : told.banned) banned.push_back(small.from_dense(cell));
        std::vector<S> boards;
        for (const GoState* before : told.earlier) boards.emplace_back(*before);
        std::vector<const S*> earlier;
        for (const S& board : boards) earlier.push_back(&board);
        F::encode(small, {recent, banned, earlier}, told.symmetry, planes_at, globals_at, facts...);
    });
    return {planes, globals};
}

Array3 planes(const GoState& state, const std::string& name, std::vector<int> recent, std::vector<int> banned,
              int symmetry) {
    if (name != go::GoV1::set().name) throw nb::value_error("unknown feature set");
    return std::get<0>(encode<go::GoV1>(state, {std::move(recent), std::move(banned), {}, symmetry}));
}

Encoded katago(const GoState& state, std::vector<int> recent, std::vector<int> banned,
               std::vector<const GoState*> earlier, int symmetry, float doublings, bool has_button, bool hides_end,
               bool suicide_in_life) {
    return encode<go::KataV7>(state, {std::move(recent), std::move(banned), std::move(earlier), symmetry},
                              go::KataFacts{doublings, has_button, hides_end, false, suicide_in_life});
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind::bind_go_features(nb::module_& module, nb::class_<GoState>& type) {
    using Moves = std::vector<int>;
    module.attr("add_feature_set")(go::GoV1::set());
    module.attr("add_feature_set")(go::KataV7::set());
    nb::class_<go::KataFacts>(module, "KataFacts",
                              "What katago-v7 encodes of a game that no position has (engine/core/go/katago_features.hpp).")
        .def(
            "__init__",
            [](go::KataFacts* self, bool has_button, bool friendly_pass, bool suicide_in_life) {
                new (self) go::KataFacts{0, has_button, false, friendly_pass, suicide_in_life};
            },
            nb::kw_only(), nb::arg("has_button") = false, nb::arg("friendly_pass") = false,
            nb::arg("suicide_in_life") = false);
    bind_rows<GoState, go::GoV1>(module);
    bind_rows<GoState, go::KataV7>(module);
    type.def("planes", &planes, nb::arg("name") = go::GoV1::set().name, nb::arg("recent") = Moves{},
             nb::arg("banned") = Moves{}, nb::arg("symmetry") = 0,
             "float32[planes, height, width] of go-v1 (engine/core/go/features.hpp). recent: the last moves, newest\n"
             "last, -1 unknown; banned: cells forbidden beyond the state's own ko point (superko).\n"
             "symmetry: as `transform` takes it; the planes of the position seen through it.")
        .def("katago", &katago, nb::arg("recent") = Moves{}, nb::arg("banned") = Moves{},
             nb::arg("earlier") = std::vector<const GoState*>{}, nb::arg("symmetry") = 0, nb::kw_only(),
             nb::arg("doublings") = 0.0F, nb::arg("has_button") = false, nb::arg("hides_end") = false,
             nb::arg("suicide_in_life") = false,
             "float32[planes, height, width] and float32[globals] of katago-v7 (engine/core/go/katago_features.hpp).\n"
             "As `planes`; earlier: the positions before the last moves, newest last. The moves of `recent` alternate:\n"
             "where a side moved twice in a row the past begins. has_button: nobody took it yet; hides_end: see a\n"
             "position whose next pass ends the game as if it did not.");
}
