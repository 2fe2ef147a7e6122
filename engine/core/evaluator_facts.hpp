// The evaluators of a game, by name: the one list of them. Searches check names against it, Python lists it.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "core/weights.hpp"

namespace tengen {

struct EvaluatorFacts {
    const char* name;
    const char* doc;             // what it does, in a sentence
    bool reads_weights = false;  // it is made with a file of weights (core/weights.hpp), others without
};

// Throws std::invalid_argument for a name that the list lacks.
inline const EvaluatorFacts& find_evaluator(std::span<const EvaluatorFacts> list, const std::string& name) {
    for (const EvaluatorFacts& facts : list)
        if (name == facts.name) return facts;
    std::string known;
    for (const EvaluatorFacts& facts : list) known += (known.empty() ? "" : ", ") + std::string(facts.name);
    throw std::invalid_argument("unknown evaluator " + name + "; there are " + known);
}

// Settings of evaluators hand over weights by `std::shared_ptr<const Weights> weights`, where any reads them. Throws
// std::invalid_argument when one needs weights and has none, or has and does not read them.
template <class Settings>
void give_weights(const EvaluatorFacts& facts, Settings& settings, std::shared_ptr<const Weights> weights) {
    if (facts.reads_weights != (weights != nullptr))
        throw std::invalid_argument("the evaluator " + std::string(facts.name) +
                                    (weights ? " reads no weights" : " needs a file of weights"));
    if constexpr (requires { settings.weights = weights; }) settings.weights = std::move(weights);
}

}  // namespace tengen
