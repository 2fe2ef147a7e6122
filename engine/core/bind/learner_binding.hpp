// What the classes for learning have alike: their weights and gradients as lists of arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "core/bind/floats.hpp"

namespace tengen::bind {

using SomeFloatsOut = std::vector<nanobind::ndarray<float, nanobind::c_contig, nanobind::device::cpu>>;
using SomeFloatsIn = std::vector<nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>>;

// Arrays of any number of axes as the learner's. Throws ValueError for others.
template <class T, class Learner, class Some>
typename Learner::template Arrays<T> arrays_of(const Learner& learner, const Some& some) {
    constexpr auto message = "these arrays are not those of a network of this size";
    const auto sizes = learner.sizes();
    if (some.size() != sizes.size()) throw nanobind::value_error(message);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (some[i].size() != sizes[i]) throw nanobind::value_error(message);
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return typename Learner::template Arrays<T>{some[i].data()...};
    }(std::make_index_sequence<std::tuple_size_v<decltype(learner.sizes())>>());
}

// By how a loss changes with what was said last, and the weights as they were then: how it changes with each weight, into
// `found`.
template <class Learner>
void backward(Learner& learner, const FloatsIn<1>& slopes, const SomeFloatsIn& weights, SomeFloatsOut& found) {
    const auto of = arrays_of<const float>(learner, weights);
    const auto to = arrays_of<float>(learner, found);
    const nanobind::gil_scoped_release release;
    learner.backward({slopes.data(), slopes.size()}, of, to);
}

}  // namespace tengen::bind
