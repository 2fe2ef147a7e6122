// GoBatch: many boards at once.
#include "core/bind/bind.hpp"

void tengen::bind_go_batch(nanobind::module_&) {}
