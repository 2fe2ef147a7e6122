// Self-play of Go (core/selfplay/any.hpp): by what KataGo's networks see, or by any other set of the game.
#pragma once

#include <memory>
#include <vector>

#include "core/go/encoders.hpp"
#include "core/go/katago_features.hpp"
#include "core/selfplay/any.hpp"

namespace tengen::go {

struct SelfPlay {
    using Root = Sets::Root;
    using Told = KataFacts;
    static std::vector<const FeatureSet*> sets();
    static std::unique_ptr<selfplay::AnyActor<Root>> make(std::size_t slots, int width, int height, std::uint64_t seed,
                                                          const selfplay::PlaySettings& settings, const Told& told,
                                                          const FeatureSet& set);
};

}  // namespace tengen::go
