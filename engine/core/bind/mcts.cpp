// The report of every search, and Go's search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "core/bind/bind.hpp"
#include "core/bind/search_binding.hpp"
#include "core/go/family.hpp"

namespace nb = nanobind;

namespace tengen {

namespace {
// (expected score at the end, its standard deviation), or nothing.
template <class T>
std::optional<std::pair<double, double>> final_score(const T& said) {
    if (!said.final_score) return std::nullopt;
    return std::pair(said.final_score->mean, said.final_score->deviation);
}
}  // namespace

void bind_mcts(nb::module_& module) {
    nb::class_<search::StopToken>(module, "StopToken",
                                  "The wish that a run should end, from any thread; made for each run.")
        .def(nb::init<>())
        .def("stop", &search::StopToken::stop, "End the run within 20 ms; one that has not begun ends at once.")
        .def_prop_ro("is_stopped", &search::StopToken::is_stopped);
    nb::class_<search::Line>(module, "Line", "One candidate move; values are for the side to move at the root.")
        .def_ro("move", &search::Line::move)
        .def_ro("pv", &search::Line::pv)
        .def_ro("visits", &search::Line::visits)
        .def_ro("win", &search::Line::win)
        .def_ro("draw", &search::Line::draw)
        .def_ro("score", &search::Line::score)
        .def_prop_ro("final_score", &final_score<search::Line>)
        .def_ro("lcb", &search::Line::lcb)
        .def_ro("prior", &search::Line::prior)
        .def_ro("is_proved", &search::Line::is_proved)
        .def_ro("plies_to_end", &search::Line::plies_to_end, "With best play, where it is known; else -1.")
        .def_ro("proof", &search::Line::proof)
        .def_prop_ro("bound", [](const search::Line& line) { return search::name_of(line.bound); })
        .def_ro("depth", &search::Line::depth)
        .def_ro("seldepth", &search::Line::seldepth);
    nb::class_<search::Report>(module, "SearchInfo", "A report; values are for the side to move at the root.")
        .def_ro("lines", &search::Report::lines)
        .def_ro("to_move", &search::Report::to_move)
        .def_ro("visits", &search::Report::visits)
        .def_ro("playouts", &search::Report::playouts)
        .def_ro("nodes", &search::Report::nodes)
        .def_ro("seconds", &search::Report::seconds)
        .def_ro("win", &search::Report::win)
        .def_ro("draw", &search::Report::draw)
        .def_ro("score", &search::Report::score)
        .def_prop_ro("final_score", &final_score<search::Report>)
        .def_ro("hashfull", &search::Report::hashfull)
        .def_ro("probes", &search::Report::probes)
        .def_ro("ownership", &search::Report::ownership);
    bind::bind_search<go::GoFamily>(module, "GoMcts");
}

}  // namespace tengen
