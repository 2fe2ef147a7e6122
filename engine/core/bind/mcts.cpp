// What every search reports, and Go's search.
#include "core/bind/bind.hpp"
#include "core/bind/mcts_binding.hpp"
#include "core/go/family.hpp"

namespace nb = nanobind;

namespace tengen {

void bind_mcts(nb::module_& module) {
    nb::class_<search::StopToken>(module, "StopToken",
                                  "The wish that a run should end, from any thread; made for each run.")
        .def(nb::init<>())
        .def("stop", &search::StopToken::stop, "End the run within 20 ms; one that has not begun ends at once.")
        .def_prop_ro("is_stopped", &search::StopToken::is_stopped);
    nb::class_<mcts::Line>(module, "Line", "One candidate move; values are for the side to move at the root.")
        .def_ro("move", &mcts::Line::move)
        .def_ro("pv", &mcts::Line::pv)
        .def_ro("visits", &mcts::Line::visits)
        .def_ro("win", &mcts::Line::win)
        .def_ro("draw", &mcts::Line::draw)
        .def_ro("score", &mcts::Line::score)
        .def_ro("lcb", &mcts::Line::lcb)
        .def_ro("prior", &mcts::Line::prior)
        .def_ro("is_proved", &mcts::Line::is_proved)
        .def_ro("proof", &mcts::Line::proof)
        .def_ro("is_exact", &mcts::Line::is_exact);
    nb::class_<mcts::Report>(module, "SearchInfo", "A report; values are for the side to move at the root.")
        .def_ro("lines", &mcts::Report::lines)
        .def_ro("to_move", &mcts::Report::to_move)
        .def_ro("visits", &mcts::Report::visits)
        .def_ro("playouts", &mcts::Report::playouts)
        .def_ro("nodes", &mcts::Report::nodes)
        .def_ro("seconds", &mcts::Report::seconds)
        .def_ro("win", &mcts::Report::win)
        .def_ro("draw", &mcts::Report::draw)
        .def_ro("score", &mcts::Report::score)
        .def_ro("hashfull", &mcts::Report::hashfull)
        .def_ro("ownership", &mcts::Report::ownership);
    bind::bind_search<go::GoFamily>(module, "GoMcts");
}

}  // namespace tengen
