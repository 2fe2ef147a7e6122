// What an evaluator gets wrong near the last move: the mean error of its values against what was found below them, over
// all positions of a tree that look alike there, corrects what it says of the next one ("subtree value bias correction",
// KataGo's page on methods). Which positions look alike is the game's to say (concepts.hpp, `locality`).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tengen::mcts {

// Errors by locality; those of one that falls on another's place are taken together.
class Biases {
public:
    static constexpr std::uint32_t kNone = 0;
    static constexpr double kExponent = 0.85;  // of the visits below a position, as the weight of its error

    explicit Biases(std::size_t tree_bytes)
        : places_(
              std::bit_floor(std::clamp<std::size_t>(tree_bytes / 1024, std::size_t{1} << 10, std::size_t{1} << 20))) {}

    std::uint32_t place(std::uint64_t locality) const {
        return std::max(1u, static_cast<std::uint32_t>((locality >> 8) & (places_.size() - 1)));
    }
    // The weighted error of a position has changed by so much, and its weight.
    void learn(std::uint32_t place, double error, double weight) {
        places_[place].error += static_cast<float>(error);
        places_[place].weight += static_cast<float>(weight);
    }
    double mean(std::uint32_t place) const {
        const Place& at = places_[place];
        return at.weight > 0.001f ? static_cast<double>(at.error / at.weight) : 0;
    }
    void clear() { std::fill(places_.begin(), places_.end(), Place()); }

private:
    struct Place {
        float error = 0, weight = 0;
    };
    std::vector<Place> places_;
};

}  // namespace tengen::mcts
