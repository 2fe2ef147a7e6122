// An actor behind one face, whatever the capacity of its positions, and what a binding names: Game says Root, Facts,
// `set()` of its features and `make(slots, width, height, seed, settings, facts)`; Plain is that of a game with one state type.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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
    std::optional<std::pair<std::uint64_t, std::vector<int>>> game(std::size_t slot) const override { return actor_.game(slot); }

private:
    Actor<S, F> actor_;
};

template <class S, class F>
struct Plain {
    using Root = S;
    using Facts = typename FactsOf<F>::type;
    static const FeatureSet& set() { return F::set(); }
    static std::unique_ptr<AnyActor<S>> make(std::size_t slots, int, int, std::uint64_t seed, const PlaySettings& settings,
                                             const Facts& facts) {
        return std::make_unique<ActorOf<S, S, F>>(slots, seed, settings, facts);
    }
};

}  // namespace tengen::selfplay
