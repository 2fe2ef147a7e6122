// Self-play of Go by networks that take the inputs "katago-v7" (core/selfplay/any.hpp).
#pragma once

#include <memory>

#include "core/go/capacity.hpp"
#include "core/go/katago_features.hpp"
#include "core/selfplay/any.hpp"

namespace tengen::go {

struct KataSelfPlay {
    using Root = State<kMaxSize>;
    using Facts = KataFacts;
    static const FeatureSet& set() { return KataV7::set(); }
    static std::unique_ptr<selfplay::AnyActor<Root>> make(std::size_t slots, int width, int height, std::uint64_t seed,
                                                          const selfplay::PlaySettings& settings, const Facts& facts);
};

}  // namespace tengen::go
