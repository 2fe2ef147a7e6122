// Chess's alpha-beta searches by evaluator name.
#pragma once

#include <memory>
#include <span>

#include "core/alphabeta/family.hpp"
#include "core/chess/state.hpp"
#include "core/chess/tuning.hpp"

namespace tengen::chess {

class Network;
class Tablebases;

struct AlphaBetaSettings : PositionTuning {
    std::shared_ptr<const Weights> weights;
    std::shared_ptr<const Network> network;  // of the weights, once they are checked
    std::shared_ptr<const Tablebases> tablebases;
    static std::span<const Option<AlphaBetaSettings>> options();
    bool operator==(const AlphaBetaSettings&) const = default;
};

struct ByNetwork;
struct ByTables;
using AlphaBetaFamily = alphabeta::Family<State, AlphaBetaSettings, ByNetwork, ByTables>;

}  // namespace tengen::chess

extern template struct tengen::alphabeta::Family<tengen::chess::State, tengen::chess::AlphaBetaSettings,
                                                 tengen::chess::ByNetwork, tengen::chess::ByTables>;
