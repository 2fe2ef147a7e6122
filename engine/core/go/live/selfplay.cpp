#include "core/go/live/selfplay.hpp"

#include "core/go/ending.hpp"
#include "core/go/live/tree.hpp"

namespace tengen::go {

std::vector<const FeatureSet*> SelfPlay::sets() { return LiveGame::sets(); }

std::unique_ptr<selfplay::AnyActor<SelfPlay::Root>> SelfPlay::make(std::size_t slots, int width, int height,
                                                                   std::uint64_t seed,
                                                                   const selfplay::PlaySettings& settings,
                                                                   const Told& told, const FeatureSet& set) {
    using Made = std::unique_ptr<selfplay::AnyActor<Root>>;
    if (&set != &KataV7::set()) return selfplay::make_actor<Sets>(slots, width, height, seed, settings, set);
    return with_capacity(width, height, [&](auto capacity) -> Made {
        return std::make_unique<selfplay::ActorOf<Root, State<capacity()>, KataV7>>(slots, seed, settings, told);
    });
}

}  // namespace tengen::go
