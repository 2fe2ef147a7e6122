// GoSelfPlay: games of Go by self-play, for networks that take KataGo's inputs.
#include "core/bind/bind.hpp"
#include "core/bind/go_common.hpp"
#include "core/bind/selfplay_binding.hpp"
#include "core/go/katago_selfplay.hpp"

void tengen::bind_go_selfplay(nanobind::module_& module) {
    tengen::bind::bind_selfplay<tengen::go::KataSelfPlay>(module, "GoSelfPlay");
}
