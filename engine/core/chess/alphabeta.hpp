// Chess's alpha-beta searches by evaluator name.
#pragma once

#include <memory>

#include "core/alphabeta/family.hpp"
#include "core/chess/state.hpp"

namespace tengen::chess {

class Network;

struct AlphaBetaSettings {
    std::shared_ptr<const Weights> weights;
    std::shared_ptr<const Network> network;  // of the weights, once they are checked
    bool operator==(const AlphaBetaSettings&) const = default;
};

struct ByNetwork;
struct ByTables;
using AlphaBetaFamily = alphabeta::Family<State, AlphaBetaSettings, ByNetwork, ByTables>;

}  // namespace tengen::chess

extern template struct tengen::alphabeta::Family<tengen::chess::State, tengen::chess::AlphaBetaSettings,
                                                 tengen::chess::ByNetwork, tengen::chess::ByTables>;
