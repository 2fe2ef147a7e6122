// The parts of GoState's binding that have files of their own.
#pragma once

#include "core/bind/go_common.hpp"

namespace tengen::bind {

void bind_go_judgement(nb::class_<GoState>& type);                      // go_judgement.cpp: scoring, life, ladders
void bind_go_features(nb::module_& module, nb::class_<GoState>& type);  // go_features.cpp: what networks see
void bind_go_counting(nb::module_& module);                             // go_counting.cpp: go_playouts, go_perft

}  // namespace tengen::bind
