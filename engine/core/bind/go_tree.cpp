// GoTree: a live game of Go searched with KataGo's networks.
#include "core/bind/bind.hpp"
#include "core/bind/go_common.hpp"
#include "core/bind/live_binding.hpp"
#include "core/bind/study_binding.hpp"
#include "core/go/katago_tree.hpp"

namespace tengen {

void bind_go_tree(nanobind::module_& module) {
    namespace nb = nanobind;
    using Bound = bind::BoundTree<go::KataTree>;
    auto type = bind::bind_live<go::KataTree>(module, "GoTree");
    bind::bind_study<go::KataTree>(type);
    type.def(
            "tell",
            [](Bound& self, bool suicide_in_life, float doublings, bool has_button, bool hides_end, bool friendly_pass) {
                self.live.tell({doublings, has_button, hides_end, friendly_pass, suicide_in_life});
            },
            nb::kw_only(), nb::arg("suicide_in_life") = false, nb::arg("doublings") = 0.0F, nb::arg("has_button") = false,
            nb::arg("hides_end") = false, nb::arg("friendly_pass") = false,
            "What the network wants to be told beside positions (engine/core/go/katago_features.hpp).");
}

}  // namespace tengen
