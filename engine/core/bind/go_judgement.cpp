// GoState, continued: what a position is worth and what it means.
#include <tuple>

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core/bind/go_state.hpp"
#include "core/go/benson.hpp"
#include "core/go/ladder.hpp"
#include "core/go/reading/reader.hpp"
#include "core/go/score.hpp"
#include "core/go/self_atari.hpp"
#include "core/go/symmetry.hpp"
#include "core/go/two_eyes.hpp"

namespace tengen::bind {
namespace {

constexpr int kCapacity = go::kMaxSize;
using Map = go::PointMap<kCapacity>;

nb::bytes mask_bytes(const GoState& state, const Map& map) {
    std::string out(static_cast<std::size_t>(state.cells()), '\0');
    for (int c = 0; c < state.cells(); ++c)
        out[static_cast<std::size_t>(c)] = static_cast<char>(map[state.board().point_of_cell(c)]);
    return nb::bytes(out.data(), out.size());
}

Map read_mask(const GoState& state, const nb::bytes& mask) {
    Map map{};
    if (mask.size() == 0) return map;
    if (mask.size() != static_cast<std::size_t>(state.cells())) throw nb::value_error("wrong number of cells");
    for (int c = 0; c < state.cells(); ++c) map[state.board().point_of_cell(c)] = mask.c_str()[c] != 0;
    return map;
}

int stone_at(const GoState& state, int cell) {
    const int p = point_of(state, cell);
    if (state.board().stone(p) == go::kEmpty) throw nb::value_error("no stone there");
    return p;
}

float result(const GoState& state) { return go::score(state.board(), state.rules(), Map{}).margin() - state.komi(); }

std::tuple<float, float> score(const GoState& state, const nb::bytes& dead) {
    const go::Score points = go::score(state.board(), state.rules(), read_mask(state, dead));
    return {points.black, points.white};
}

nb::bytes seki(const GoState& state, const nb::bytes& dead) {
    Map stones;
    go::seki_stones(state.board(), read_mask(state, dead), stones);
    return mask_bytes(state, stones);
}

nb::bytes pass_alive(const GoState& state, int colour) {
    Map alive;
    go::pass_alive(state.board(), check_colour(colour) + 1, state.rules().suicide, alive);
    return mask_bytes(state, alive);
}

bool two_eyes(const GoState& state, int cell) {
    stone_at(state, cell);
    return on_smallest(state,
                       [&](const auto& s) { return go::has_two_eyes(s.board(), s.board().point_of_cell(cell)); });
}

const char* ladder(const GoState& state, int cell) {
    stone_at(state, cell);
    return on_smallest(state, [&](const auto& s) { return go::is_ladder(s.board(), s.board().point_of_cell(cell)); })
               ? "captured"
               : "escapes";
}

// The best that `colour` gets by playing here against any enemy chain with two liberties beside it.
const char* ladder_start(const GoState& state, int colour, int cell) {
    point_of(state, cell);
    const int stone = check_colour(colour) + 1;
    const auto best = on_smallest(state, [&](const auto& s) {
        const auto& board = s.board();
        const int p = board.point_of_cell(cell);
        auto found = go::LadderStart::kFails;
        if (!board.is_legal(p, stone)) return found;
        for (int k = 0; k < 4; ++k)
            if (board.stone(p + board.kDelta[k]) == 3 - stone)
                found = std::max(found, go::start_ladder(board, p + board.kDelta[k], p));
        return found;
    });
    constexpr const char* names[] = {"escapes", "trivial", "ladder"};
    return names[static_cast<int>(best)];
}

using Found = std::tuple<std::vector<int>, std::string, std::string, std::vector<int>, std::uint64_t>;

// The fights of the position (core/go/reading/reader.hpp).
std::vector<Found> fights(const GoState& state, std::uint64_t nodes, int smallest) {
    constexpr const char* names[] = {"dead", "ko", "unknown", "alive"};
    const auto read = on_smallest(state, [&](const auto& s) {
        return go::reading::Reader().read(s.board(), s.stone_to_move(), nodes, smallest);
    });
    std::vector<Found> out;
    for (const auto& one : read)
        out.emplace_back(one.cells, names[static_cast<int>(one.fate[0])], names[static_cast<int>(one.fate[1])],
                         one.moves, one.nodes);
    return out;
}

// A test of an empty point: judge(board, point, stone) on the smallest capacity.
template <class F>
bool at_empty(const GoState& state, int colour, int cell, F judge) {
    if (state.board().stone(point_of(state, cell)) != go::kEmpty) throw nb::value_error("occupied");
    const int stone = check_colour(colour) + 1;
    return on_smallest(state, [&](const auto& s) { return judge(s.board(), s.board().point_of_cell(cell), stone); });
}

bool is_self_atari(const GoState& state, int colour, int cell) {
    return at_empty(state, colour, cell, [](const auto& b, int p, int s) { return go::is_bad_self_atari(b, p, s); });
}

bool is_snapback(const GoState& state, int colour, int cell) {
    return at_empty(state, colour, cell, [](const auto& b, int p, int s) { return go::is_snapback(b, p, s); });
}

void check_symmetry(const GoState& state, int symmetry) {
    if (symmetry < 0 || symmetry >= symmetry_count(state.board().width(), state.board().height()))
        throw nb::value_error("no symmetry of this board");
}

GoState transform(const GoState& state, int symmetry) {
    check_symmetry(state, symmetry);
    return go::transform(state, symmetry);
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind::bind_go_judgement(nb::class_<GoState>& type) {
    type.def("result", &result,
             "Black's score minus White's and komi under the state's scoring, the board as it stands (all stones "
             "alive).")
        .def(
            "score", &score, nb::arg("dead") = nb::bytes("", 0),
            "(black, white) points under the state's scoring without komi, once the dead stones (mask of 0/1) are off.")
        .def("seki", &seki, nb::arg("dead") = nb::bytes("", 0),
             "Mask of the stones taken to be in seki: their group touches a neutral point and lacks two eyes.")
        .def("pass_alive", &pass_alive, nb::arg("colour"),
             "Benson 1976: mask of stones that live without another move, and of the regions that are surely theirs.")
        .def("two_eyes", &two_eyes, nb::arg("cell"),
             "Whether the group of the chain here has two eyes by its shape, the opponent to move (two_eyes.hpp).")
        .def(
            "ladder", &ladder, nb::arg("cell"),
            "\"captured\" or \"escapes\": the chain here against ataris; with one liberty its owner moves first, with\n"
            "two the opponent; with more it escapes.")
        .def("ladder_start", &ladder_start, nb::arg("colour"), nb::arg("cell"),
             "What playing here does to an enemy chain with two liberties: \"escapes\", \"trivial\" (captured without\n"
             "ever having two liberties again) or \"ladder\".")
        .def(
            "fights", &fights, nb::arg("nodes") = 20000, nb::arg("smallest") = 2,
            nb::call_guard<nb::gil_scoped_release>(),
            "The chains whose life a search of at most so many nodes reads: (cells, fate if the side to move plays there\n"
            "first, fate if it does not, the moves that get the first, nodes), a fate being \"dead\", \"ko\", \"unknown\"\n"
            "or \"alive\".")
        .def(
            "can_countercapture",
            [](const GoState& s, int cell) { return go::can_countercapture(s.board(), stone_at(s, cell)); },
            nb::arg("cell"), "Whether the chain's owner can capture beside it now and then not be in atari.")
        .def("is_self_atari", &is_self_atari, nb::arg("colour"), nb::arg("cell"),
             "Whether this move would be suicide or a bad self-atari (engine/core/go/self_atari.hpp).")
        .def("is_snapback", &is_snapback, nb::arg("colour"), nb::arg("cell"),
             "Whether this stone invites a capture that is answered by capturing more.")
        .def(
            "transform", &transform, nb::arg("symmetry"),
            "The position through a symmetry: bit 0 mirrors columns, bit 1 rows, bit 2 then transposes (square only).");
}
