// A game's alpha-beta searches as core/search/native.hpp asks, made of a list of its evaluators.
//
// An evaluator says what it is and by which position it is searched:
//
//   struct ByTables {
//       static constexpr EvaluatorFacts kFacts{"tables", "what it does"};
//       using Position = ...;            // a Position made as SearchOf asks, with `static constexpr Tuning kTuning`
//       static void with_position(root, what);  // optional: calls what(std::type_identity<P>()) with the P for a root
//       static void check(Own& own);     // optional: throws std::invalid_argument unless it can read own.weights; may
//                                        // keep in `own` what it made of them
//   };
//
// Own: the settings that the evaluators share, with `std::shared_ptr<const Weights> weights` if any reads a file, and
// `static std::span<const Option<Own>> options()`, if it has any. A game's header declares its evaluators and says `extern template`,
// so that the search is compiled in the game's source file alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "core/alphabeta/search.hpp"

namespace tengen::alphabeta {

template <class State, class Own, class... Evaluators>
struct Family {
    using Root = State;
    using Settings = alphabeta::Settings;
    using EvaluatorSettings = Own;

    static std::span<const Option<Own>> options();
    static std::span<const EvaluatorFacts> evaluators();
    static void defaults(const std::string& evaluator, Settings& settings);
    static void check_weights(const std::string& evaluator, Own& own);
    static std::unique_ptr<search::AnySearch<Family>> make(const std::string& evaluator, const State& root,
                                                           const Settings& settings, const Own& own);

private:
    // Call what(std::type_identity<E>()) with the evaluator of that name, if there is one.
    template <class What>
    static void with(const std::string& name, const What& what) {
        static_cast<void>(((name == Evaluators::kFacts.name && (what(std::type_identity<Evaluators>()), true)) || ...));
    }
};

template <class State, class Own, class... Evaluators>
std::span<const Option<Own>> Family<State, Own, Evaluators...>::options() {
    if constexpr (requires { Own::options(); }) return Own::options();
    return {};
}

template <class State, class Own, class... Evaluators>
std::span<const EvaluatorFacts> Family<State, Own, Evaluators...>::evaluators() {
    static constexpr EvaluatorFacts kFacts[] = {Evaluators::kFacts...};
    return kFacts;
}

template <class State, class Own, class... Evaluators>
void Family<State, Own, Evaluators...>::defaults(const std::string& evaluator, Settings& settings) {
    with(evaluator, [&settings]<class E>(std::type_identity<E>) {
        settings.tuning = E::Position::kTuning;
        settings.parts = parts_of<typename E::Position>();
    });
}

template <class State, class Own, class... Evaluators>
void Family<State, Own, Evaluators...>::check_weights(const std::string& evaluator, Own& own) {
    with(evaluator, [&own]<class E>(std::type_identity<E>) {
        if constexpr (requires { E::check(own); }) E::check(own);
    });
}

template <class State, class Own, class... Evaluators>
auto Family<State, Own, Evaluators...>::make(const std::string& evaluator, const State& root, const Settings& settings,
                                             const Own& own) -> std::unique_ptr<search::AnySearch<Family>> {
    std::unique_ptr<search::AnySearch<Family>> out;
    const auto make_of = [&]<class P>(std::type_identity<P>) {
        out = std::make_unique<SearchOf<Family, P>>(settings, own);
    };
    with(evaluator, [&]<class E>(std::type_identity<E>) {
        if constexpr (requires { E::with_position(root, make_of); })
            E::with_position(root, make_of);
        else
            make_of(std::type_identity<typename E::Position>());
    });
    return out;
}

}  // namespace tengen::alphabeta
