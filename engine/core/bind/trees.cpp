// Trees of live games that are searched with networks. That of chess is bound beside its features, chess_features.cpp.
#include "core/bind/bind.hpp"
#include "core/bind/go_common.hpp"
#include "core/bind/live_binding.hpp"
#include "core/bind/study_binding.hpp"
#include "core/go/live/tree.hpp"
#include "core/gomoku/tree.hpp"
#include "core/reversi/tree.hpp"

namespace tengen {

void bind_trees(nanobind::module_& module) {
    namespace nb = nanobind;
    using Bound = bind::BoundTree<go::LiveGame>;
    auto type = bind::bind_live<go::LiveGame>(module, "GoTree");
    bind::bind_study<go::LiveGame>(type);
    type.def(
        "tell",
        [](Bound& self, bool suicide_in_life, float doublings, bool has_button, bool hides_end, bool friendly_pass) {
            self.live.tell({doublings, has_button, hides_end, friendly_pass, suicide_in_life});
        },
        nb::kw_only(), nb::arg("suicide_in_life") = false, nb::arg("doublings") = 0.0F, nb::arg("has_button") = false,
        nb::arg("hides_end") = false, nb::arg("friendly_pass") = false,
        "What KataGo's networks want to be told beside positions (engine/core/go/katago_features.hpp).");
    bind::bind_live<gomoku::LiveGame>(module, "GomokuTree");
    bind::bind_live<reversi::LiveGame>(module, "ReversiTree");
}

}  // namespace tengen
