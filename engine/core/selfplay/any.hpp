// An actor behind one face, whatever the capacity of its positions. A binding names a Game: Root, Told (facts that encoders
// are told), `sets()` of features, the first of them being the default, and `make(slots, width, height, seed, settings,
// told, set)`.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/encoders.hpp"
#include "core/selfplay/actor.hpp"

namespace tengen::selfplay {

template <class Root>
class AnyActor {
public:
    virtual ~AnyActor() = default;
    virtual std::size_t free() const = 0;
    virtual std::uint64_t start(const Root& state, const std::vector<int>& opening, std::uint64_t seed) = 0;
    virtual std::size_t collect(std::size_t room, float* planes, float* globals, bool* is_root) = 0;
    virtual std::size_t oldest() const = 0;  // leaves of the batch whose answer is due next, 0: none is
    virtual void deliver(std::span<const mcts::Answer> answers) = 0;
    virtual std::vector<Record> finished() = 0;
    virtual Counts counts() const = 0;
    virtual std::optional<std::pair<std::uint64_t, std::vector<int>>> game(std::size_t slot) const = 0;
};

template <class Root, class S, class F>
class ActorOf final : public AnyActor<Root> {
public:
    using Facts = typename FactsOf<F>::type;
    ActorOf(std::size_t slots, std::uint64_t seed, const PlaySettings& settings, const Facts& facts)
        : actor_(slots, seed, settings, facts) {}
    std::size_t free() const override { return actor_.free(); }
    std::uint64_t start(const Root& state, const std::vector<int>& opening, std::uint64_t seed) override {
        return actor_.start(S(state), opening, seed);
    }
    std::size_t collect(std::size_t room, float* planes, float* globals, bool* is_root) override {
        return actor_.collect(room, planes, globals, is_root);
    }
    std::size_t oldest() const override { return actor_.oldest(); }
    void deliver(std::span<const mcts::Answer> answers) override { actor_.deliver(answers); }
    std::vector<Record> finished() override { return actor_.finished(); }
    Counts counts() const override { return actor_.counts(); }
    std::optional<std::pair<std::uint64_t, std::vector<int>>> game(std::size_t slot) const override {
        return actor_.game(slot);
    }

private:
    Actor<S, F> actor_;
};

// At the capacity that fits boards of this size, by one of the sets that a game lists (core/encoders.hpp).
template <class Sets>
std::unique_ptr<AnyActor<typename Sets::Root>> make_actor(std::size_t slots, int width, int height, std::uint64_t seed,
                                                          const PlaySettings& settings, const FeatureSet& set) {
    using Root = typename Sets::Root;
    return Sets::on_smallest(Sets::example(width, height),
                             [&]<class S>(const S& small) -> std::unique_ptr<AnyActor<Root>> {
                                 return std::make_unique<ActorOf<Root, S, Chosen<S>>>(
                                     slots, seed, settings, find_encoder(Sets::encoders(small), set.name));
                             });
}

// A game whose sets are all such.
template <class Sets>
struct Listed {
    using Root = typename Sets::Root;
    using Told = NoFacts;
    static std::vector<const FeatureSet*> sets() { return sets_of<Sets>(); }
    static std::unique_ptr<AnyActor<Root>> make(std::size_t slots, int width, int height, std::uint64_t seed,
                                                const PlaySettings& settings, const Told&, const FeatureSet& set) {
        return make_actor<Sets>(slots, width, height, seed, settings, set);
    }
};

// A game with one state type and one set.
template <class S, class F>
struct Plain {
    using Root = S;
    using Told = typename FactsOf<F>::type;
    static std::vector<const FeatureSet*> sets() { return {&F::set()}; }
    static std::unique_ptr<AnyActor<S>> make(std::size_t slots, int, int, std::uint64_t seed,
                                             const PlaySettings& settings, const Told& told, const FeatureSet&) {
        return std::make_unique<ActorOf<S, S, F>>(slots, seed, settings, told);
    }
};

}  // namespace tengen::selfplay
