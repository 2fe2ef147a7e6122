// The input of networks, and the places of moves in their policies: a feature set has a game, a name with a version,
// and an encoder.
//
// A set never changes once a network used it: a new meaning is a new version. All that it encodes belongs into the key of
// a cache of answers.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "core/concepts.hpp"

namespace tengen {

// The facts of a set. A network's card names `game` and `name`.
struct FeatureSet {
    std::string game, name;
    std::vector<std::string> planes;   // what each says, height x width floats from the mover's view
    std::vector<std::string> globals;  // and each number that is said of the whole position
    int recent = 0;                    // how many last moves are encoded,
    int earlier = 0;                   // and how many positions before them
    bool has_komi = false;             // whether komi is, from the mover's view,
    bool has_rules = false;            // scoring, repetition and what else the game's rules name

    // The number of ways to turn and mirror such a board so that it keeps its shape; 0 is the identity.
    int (*symmetries)(int width, int height) = nullptr;
    // The policy of a network: so many numbers, and where among them a dense move's is when the position is seen
    // through a symmetry. The moves of a position have different places.
    int (*policy_size)(int width, int height) = nullptr;
    int (*policy_index)(int move, int width, int height, int symmetry) = nullptr;
    // Dense moves, where these are more than the places: several may share one, but never two of a position.
    int (*moves)(int width, int height) = nullptr;
};

// The past of a position, which the position itself does not remember. Native moves.
template <class S>
struct Past {
    std::span<const int> recent;          // the last moves, newest last; -1: unknown
    std::span<const int> banned;          // moves that only an earlier position forbids
    std::span<const S* const> earlier{};  // positions before the last moves, newest last; those missing are unknown
};

// The encoder of a set for a state type. `planes` has planes x height x width floats, `globals` one each; all are written.
template <class F, class S>
concept FeatureEncoder =
    GameState<S> && requires(const S view, const Past<S>& past, int symmetry, float* planes, float* globals) {
        { F::set() } -> std::same_as<const FeatureSet&>;
        { F::encode(view, past, symmetry, planes, globals) };
        { view.width() } -> std::same_as<int>;
        { view.height() } -> std::same_as<int>;
    };

// The facts for an encoder besides a position and its past, the same for all: F::Facts, or nothing. `prepare` tells a
// root of them, `below` says what holds so many plies further on.
struct NoFacts {};
template <class F>
struct FactsOf {
    using type = NoFacts;
};
template <class F>
    requires requires { typename F::Facts; }
struct FactsOf<F> {
    using type = typename F::Facts;
};

// A set that is chosen while the program runs: its facts say which (Chosen of core/encoders.hpp).
template <class F>
concept ChosenEncoder = requires(const typename F::Facts& facts) {
    { F::set(facts) } -> std::same_as<const FeatureSet&>;
};

// The set that an encoder stands for.
template <class F>
const FeatureSet& set_of(const typename FactsOf<F>::type& facts) {
    if constexpr (ChosenEncoder<F>)
        return F::set(facts);
    else
        return F::set();
}

}  // namespace tengen
