// Self-play of three men's morris for Python: test_selfplay.py.
#include "core/bind/selfplay_binding.hpp"

#include "features.hpp"
#include "morris.hpp"

void bind_morris_selfplay(nanobind::module_& module) {
    tengen::bind::bind_selfplay<tengen::selfplay::Plain<toy::State, toy::MorrisV1>>(module, "MorrisSelfPlay");
}
