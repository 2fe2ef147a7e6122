// GoBatch: many boards at once, numpy in and out, the GIL released.
#include <nanobind/stl/unique_ptr.h>

#include "core/bind/bind.hpp"
#include "core/bind/go_common.hpp"
#include "core/go/batch.hpp"
#include "core/go/features.hpp"

namespace tengen::bind {
namespace {

// Moves as any integer array or list is turned into this by the Python side of nanobind.
using Moves = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Marks = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::unique_ptr<go::Batch> make(int size, int width, int height, const std::string& ko, bool suicide,
                                const std::string& scoring, const std::string& tax, float komi) {
    check_size(width, height);
    if (size < 1) throw nb::value_error("a batch has at least one board");
    return go::make_batch(size, width, height, parse_rules(ko, suicide, scoring, tax), komi);
}

template <class T>
std::span<const T> per_board(const go::Batch& batch,
                             const nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& array) {
    if (array.shape(0) != static_cast<std::size_t>(batch.size())) throw nb::value_error("one entry a board, please");
    return {array.data(), array.shape(0)};
}

void play(go::Batch& batch, const Moves& moves) {
    const auto each = per_board(batch, moves);
    go::Batch::Answer answer;
    {
        nb::gil_scoped_release release;
        answer = batch.play(each);
    }
    constexpr const char* reasons[] = {"", "off the board", "occupied", "ko", "superko", "suicide"};
    if (answer.reason != go::Refusal::kNone)
        throw nb::value_error(
            ("board " + std::to_string(answer.board) + ": " + reasons[static_cast<int>(answer.reason)]).c_str());
}

// An array of one block a board, filled by a method of the batch.
template <class T, class... Extent>
auto filled(const go::Batch& batch, void (go::Batch::*fill)(T*) const, Extent... extents) {
    auto out = make_array<T>(batch.size(), extents...);
    T* data = out.data();
    nb::gil_scoped_release release;
    (batch.*fill)(data);
    return out;
}

template <class T>
auto by_cell(void (go::Batch::*fill)(T*) const) {
    return [fill](const go::Batch& b) { return filled(b, fill, b.height(), b.width()); };
}

template <class T>
auto by_board(void (go::Batch::*fill)(T*) const) {
    return [fill](const go::Batch& b) { return filled(b, fill); };
}

int check_board(const go::Batch& batch, int board) {
    if (board < 0 || board >= batch.size()) throw nb::index_error("no such board");
    return board;
}

std::unique_ptr<go::Batch> select(const go::Batch& batch, const Moves& boards) {
    if (boards.shape(0) == 0) throw nb::value_error("a batch has at least one board");
    const std::span<const std::int64_t> chosen(boards.data(), boards.shape(0));
    for (std::int64_t i : chosen)
        if (i < 0 || i >= batch.size()) throw nb::index_error("no such board");
    return batch.select(chosen);
}

void set(go::Batch& batch, int board, const GoState& state) {
    const auto mine = batch.get(check_board(batch, board));
    if (state.board().width() != batch.width() || state.board().height() != batch.height() ||
        !(state.rules() == mine.rules()))
        throw nb::value_error("the state has another size or other rules");
    batch.set(board, state);
}

}  // namespace
}  // namespace tengen::bind

void tengen::bind_go_batch(nanobind::module_& module) {
    using go::Batch;
    using namespace bind;
    nb::class_<Batch>(
        module, "GoBatch",
        "N games of Go at once, superko included. A board that is over has no legal moves and stays as it is.")
        .def(nb::new_(&make), nb::arg("size"), nb::arg("width"), nb::arg("height"), nb::kw_only(),
             nb::arg("ko") = "simple", nb::arg("suicide") = false, nb::arg("scoring") = "area", nb::arg("tax") = "none",
             nb::arg("komi") = 0.0F)
        .def_prop_ro("size", &Batch::size)
        .def_prop_ro("width", &Batch::width)
        .def_prop_ro("height", &Batch::height)
        .def("__len__", &Batch::size)
        .def(
            "play", &play, nb::arg("moves"),
            "Play one move a board (int64[n]; -1 leaves a board alone), all or none. ValueError \"board 3: occupied\".")
        .def(
            "reset", [](Batch& b, const Marks& mark) { b.reset(per_board(b, mark)); }, nb::arg("mark"),
            "Back to the empty board where mark (bool[n]) is true.")
        .def(
            "legal_moves", [](const Batch& b) { return filled(b, &Batch::legal_moves, b.cells() + 1); },
            "bool[n, cells + 1], the pass last; all false for a board that is over.")
        .def("stones", by_cell(&Batch::stones), "int8[n, height, width]: 0 empty, 1 black, 2 white.")
        .def("canonical", by_cell(&Batch::canonical),
             "int8[n, height, width] from the mover's view: 1 own, -1 enemy, 0 empty.")
        .def("areas", by_cell(&Batch::areas), "int8[n, height, width]: Tromp-Taylor areas.")
        .def("liberties", by_cell(&Batch::liberties), "int16[n, height, width] of the chain at each stone.")
        .def(
            "planes",
            [](const Batch& b) { return filled(b, &Batch::planes, go::GoV1::kPlanes, b.height(), b.width()); },
            "float32[n, planes, height, width]: feature set go-v1 with the last five moves and superko bans.")
        .def("keys", by_board(&Batch::keys), "uint64[n]: position keys.")
        .def("to_move", by_board(&Batch::to_move), "int8[n].")
        .def("passes", by_board(&Batch::passes), "int8[n]: consecutive passes just played.")
        .def("is_over", by_board(&Batch::is_over), "bool[n]: two passes ended the game.")
        .def("results", by_board(&Batch::results),
             "float32[n]: black's score minus white's and komi, as the boards stand.")
        .def("select", &select, nb::arg("boards"),
             "A new batch of copies, histories included, of these boards (int64[k], k >= 1, repeats allowed).")
        .def(
            "get", [](const Batch& b, int board) { return b.get(check_board(b, board)); }, nb::arg("board"))
        .def("set", &set, nb::arg("board"), nb::arg("state"), "Replace one board; its history starts there.");
}
