// The Python face of a native search, the same for every game: bind_search<Family>(module, "GoMcts"), to which a game may
// add its own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/search/native.hpp"

namespace tengen::bind {

template <class Family>
auto bind_search(nanobind::module_& module, const char* name) {
    namespace nb = nanobind;
    using Native = search::NativeSearch<Family>;
    using Root = typename Family::Root;
    return nb::class_<Native>(module, name, "A native search; `run` releases the GIL, `info` may come from any thread.")
        .def(
            "__init__",
            [](Native* self, std::string evaluator, std::shared_ptr<Weights> weights) {
                new (self) Native(std::move(evaluator), std::move(weights));
            },
            nb::arg("evaluator"), nb::arg("weights") = nb::none())
        .def_static(
            "evaluators",
            [] {
                std::vector<std::pair<std::string, std::string>> out;
                for (const EvaluatorFacts& facts : Family::evaluators()) out.emplace_back(facts.name, facts.doc);
                return out;
            },
            "(name, what it does) of every evaluator that the search has.")
        .def(
            "options",
            [](const Native& self) {
                std::vector<std::tuple<std::string, OptionValue, double, double, std::string, std::string>> out;
                for (const auto& o : self.options()) out.emplace_back(o.name, o.value, o.low, o.high, o.doc, o.kind);
                return out;
            },
            "(name, value, low, high, what it does, number or whole or check or text) of every setting; of text the bounds are 0.")
        .def(
            "set", &Native::set, nb::arg("name"), nb::arg("value"),
            "Raises ValueError for an unknown name, a value out of range, or text where a number is asked for and the reverse.")
        .def("seconds_to_solve", &Native::seconds_to_solve, nb::arg("state"),
             "About how many seconds `run` needs to know how the game ends; 0: it does not try.")
        .def("clear", &Native::clear, nb::call_guard<nb::gil_scoped_release>(), "Forget the tree.")
        .def(
            "run",
            [](Native& self, const Root& state, std::vector<std::uint64_t> seen, std::vector<int> recent,
               std::vector<int> allow, std::vector<int> avoid, float komi_shift, double seconds, std::uint64_t playouts,
               std::uint64_t visits, int depth, bool early_stop, const search::StopToken* stop, bool to_end,
               double plan, std::vector<int> until_0, std::vector<int> until_1) {
                const Root root = state;
                const nb::gil_scoped_release release;
                self.run(root,
                         {std::move(seen),
                          std::move(recent),
                          std::move(allow),
                          std::move(avoid),
                          komi_shift,
                          {std::move(until_0), std::move(until_1)}},
                         {seconds, playouts, visits, depth, early_stop, to_end, plan},
                         stop ? *stop : search::StopToken());
            },
            nb::arg("state"), nb::arg("seen") = std::vector<std::uint64_t>(), nb::arg("recent") = std::vector<int>(),
            nb::arg("allow") = std::vector<int>(), nb::arg("avoid") = std::vector<int>(), nb::arg("komi_shift") = 0.0f,
            nb::arg("seconds") = 0.0, nb::arg("playouts") = 0, nb::arg("visits") = 0, nb::arg("depth") = 0,
            nb::arg("early_stop") = false, nb::arg("stop").none() = nb::none(), nb::arg("to_end") = false,
            nb::arg("plan") = 0.0, nb::arg("until_0") = std::vector<int>(), nb::arg("until_1") = std::vector<int>(),
            "Search until a bound or until `stop` is stopped; a bound of 0 is none. until_0, until_1: for each player by\n"
            "dense move the ply of the search before which it may not be played; empty: none is held back.")
        .def("info", &Native::report, nb::arg("max_lines") = 0, nb::arg("ownership") = false,
             nb::call_guard<nb::gil_scoped_release>(), "A report, best line first; max_lines 0 is all.");
}

}  // namespace tengen::bind
