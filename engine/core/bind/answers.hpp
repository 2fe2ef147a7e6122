// Answers of an evaluator as arrays from Python: checked, and taken apart leaf by leaf.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/bind/floats.hpp"
#include "core/features.hpp"
#include "core/mcts/awaited.hpp"

namespace tengen::bind {

struct Answers {
    FloatsIn<2> policies, values;
    std::optional<FloatsIn<1>> scores{};
    std::optional<FloatsIn<2>> owners{}, errors{}, spreads{};

    // To so many leaves of boards of this size. Throws ValueError for what is no answer to them.
    std::vector<mcts::Answer> read(const FeatureSet& set, int width, int height, std::size_t due) const {
        check(set, width, height, due);
        const std::size_t rows = policies.shape(0), moves = policies.shape(1);
        const auto cells = static_cast<std::size_t>(width * height);
        std::vector<mcts::Answer> out;
        for (std::size_t i = 0; i < rows; ++i) {
            mcts::Answer answer{{values.data()[3 * i], values.data()[3 * i + 1]}, {policies.data() + i * moves, moves}};
            answer.has_score = scores.has_value();
            if (scores) answer.score = scores->data()[i];
            answer.has_spread = spreads.has_value();
            if (spreads) answer.mean = spreads->data()[2 * i], answer.square = spreads->data()[2 * i + 1];
            answer.has_errors = errors.has_value();
            if (errors) answer.value_error = errors->data()[2 * i], answer.score_error = errors->data()[2 * i + 1];
            if (owners) answer.owners = {owners->data() + i * cells, cells};
            out.push_back(answer);
        }
        return out;
    }

private:
    void check(const FeatureSet& set, int width, int height, std::size_t due) const {
        const std::size_t rows = policies.shape(0), moves = policies.shape(1);
        const auto cells = static_cast<std::size_t>(width * height);
        if (moves != static_cast<std::size_t>(set.policy_size(width, height)) || values.shape(1) != 3)
            throw nanobind::value_error("a policy has a number a move, a value has three");
        if ((scores && scores->shape(0) != rows) || (owners && (owners->shape(0) != rows || owners->shape(1) != cells)))
            throw nanobind::value_error("a score is one number a leaf, owners are one a cell");
        if (spreads && (spreads->shape(0) != rows || spreads->shape(1) != 2))
            throw nanobind::value_error("a spread is two numbers a leaf");
        if (errors && (errors->shape(0) != rows || errors->shape(1) != 2))
            throw nanobind::value_error("errors are two numbers a leaf");
        if (rows == 0 || due != rows || values.shape(0) != rows)
            throw nanobind::value_error("so many answers are due as the oldest batch has leaves");
        const auto is_finite = [](float one) { return std::isfinite(one); };
        const auto are_all = [](const auto& array, std::size_t count, const auto& fits) {
            return std::all_of(array.data(), array.data() + count, fits);
        };
        if (!are_all(policies, rows * moves, is_finite) || (scores && !are_all(*scores, rows, is_finite)) ||
            (spreads && !are_all(*spreads, 2 * rows, is_finite)) ||
            !are_all(values, 3 * rows, [](float one) { return one >= 0 && one <= 1.0001f; }) ||
            (errors && !are_all(*errors, 2 * rows, [](float one) { return one >= 0 && std::isfinite(one); })) ||
            (owners && !are_all(*owners, rows * cells, [](float one) { return std::abs(one) <= 1.0001f; })))
            throw nanobind::value_error(
                "logits and scores are finite, win, draw and loss from 0 to 1, owners from -1 to 1");
    }
};

}  // namespace tengen::bind
