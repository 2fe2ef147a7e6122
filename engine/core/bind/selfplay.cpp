// GoSelfPlay, GomokuSelfPlay, ReversiSelfPlay: games by self-play, for networks that learn from them.
#include "core/go/live/selfplay.hpp"
#include "core/bind/bind.hpp"
#include "core/bind/selfplay_binding.hpp"
#include "core/gomoku/features.hpp"
#include "core/reversi/features.hpp"

void tengen::bind_selfplay(nanobind::module_& module) {
    bind::bind_selfplay<go::SelfPlay>(module, "GoSelfPlay");
    bind::bind_selfplay<selfplay::Listed<gomoku::Sets>>(module, "GomokuSelfPlay");
    bind::bind_selfplay<selfplay::Listed<reversi::Sets>>(module, "ReversiSelfPlay");
}
