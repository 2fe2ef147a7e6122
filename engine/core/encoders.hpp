// A feature set as a value, so that a network's card can choose it while the program runs, and a game's list of them.
//
// What is generic over games asks a game's `Sets`: `Root`, the state that Python has, and an `example(width, height)` of it;
// `on_smallest(root, f)`, which calls f with a copy at the smallest capacity; `encoders(small)`, the sets for a state of
// that capacity.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/features.hpp"

namespace tengen {

// An encoder of positions of one state type.
template <class S>
struct Encoder {
    const FeatureSet* set = nullptr;
    void (*write)(const S& view, const Past<S>& past, int symmetry, float* planes, float* globals) = nullptr;
};

template <class F, class S>
Encoder<S> encoder_of() {
    return {&F::set(), [](const S& view, const Past<S>& past, int symmetry, float* planes, float* globals) {
                F::encode(view, past, symmetry, planes, globals);
            }};
}

// Throws std::invalid_argument for a name that the list lacks.
template <class S>
const Encoder<S>& find_encoder(std::span<const Encoder<S>> list, const std::string& name) {
    for (const Encoder<S>& encoder : list)
        if (encoder.set->name == name) return encoder;
    throw std::invalid_argument("unknown feature set");
}

// The facts of a game's sets.
template <class Sets>
std::vector<const FeatureSet*> sets_of() {
    std::vector<const FeatureSet*> out;
    Sets::on_smallest(Sets::example(), [&](const auto& small) {
        for (const auto& encoder : Sets::encoders(small)) out.push_back(encoder.set);
    });
    return out;
}

// A set that is chosen while the program runs, as what a forest is made of (core/mcts/forest.hpp): its facts say which.
template <class S>
struct Chosen {
    using Facts = Encoder<S>;
    static const FeatureSet& set(const Facts& facts) { return *facts.set; }
    static Facts below(const Facts& facts, int) { return facts; }
    static void encode(const S& view, const Past<S>& past, int symmetry, float* planes, float* globals,
                       const Facts& facts) {
        facts.write(view, past, symmetry, planes, globals);
    }
};

}  // namespace tengen
