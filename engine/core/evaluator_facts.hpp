// Which evaluators a game has, by name: the one list of them. Searches check names against it, Python lists it.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

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

}  // namespace tengen
