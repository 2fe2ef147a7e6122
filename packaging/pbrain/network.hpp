// The network that the program carries in itself.
#pragma once

#include <memory>

#include "core/weights.hpp"

namespace tengen::pbrain {

// nets/weights/tengen-gomoku.safetensors, as it was when the program was built.
std::shared_ptr<const Weights> own_network();

}  // namespace tengen::pbrain
