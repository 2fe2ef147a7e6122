#include "core/go/katago_selfplay.hpp"

#include "core/go/ending.hpp"

namespace tengen::go {

std::unique_ptr<selfplay::AnyActor<KataSelfPlay::Root>> KataSelfPlay::make(std::size_t slots, int width, int height,
                                                                          std::uint64_t seed,
                                                                          const selfplay::PlaySettings& settings,
                                                                          const Facts& facts) {
    return with_capacity(width, height, [&](auto capacity) -> std::unique_ptr<selfplay::AnyActor<Root>> {
        return std::make_unique<selfplay::ActorOf<Root, State<capacity()>, KataV7>>(slots, seed, settings, facts);
    });
}

}  // namespace tengen::go
