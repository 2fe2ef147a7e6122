// Arrays of float32 that go between Python and a search.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace tengen::bind {

template <int Axes>
using FloatsOut = nanobind::ndarray<float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
template <int Axes>
using FloatsIn = nanobind::ndarray<const float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
// Some arrays of any number of axes.
using SomeFloatsOut = std::vector<nanobind::ndarray<float, nanobind::c_contig, nanobind::device::cpu>>;
using SomeFloatsIn = std::vector<nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>>;
using BoolsOut = nanobind::ndarray<bool, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using BytesOut = nanobind::ndarray<std::uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Throws ValueError unless arrays are so many, each with so many numbers.
template <class Some>
void check_sizes(const Some& arrays, std::initializer_list<std::size_t> sizes) {
    bool fit = arrays.size() == sizes.size();
    for (std::size_t i = 0; fit && i < sizes.size(); ++i) fit = arrays[i].size() == sizes.begin()[i];
    if (!fit) throw nanobind::value_error("these arrays are not those of a network of this size");
}

// Whether they are so many globals a row; where there are none, no array fits, too.
inline bool globals_fit(const std::optional<FloatsOut<2>>& numbers, std::size_t rows, std::size_t globals) {
    return numbers ? numbers->shape(0) == rows && numbers->shape(1) == globals : globals == 0;
}

}  // namespace tengen::bind
