// Arrays of float32 that go between Python and a search.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tengen::bind {

template <int Axes>
using FloatsOut = nanobind::ndarray<float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
template <int Axes>
using FloatsIn = nanobind::ndarray<const float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
using BoolsOut = nanobind::ndarray<bool, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using BytesOut = nanobind::ndarray<std::uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Whether they are so many globals a row; where there are none, no array fits, too.
inline bool globals_fit(const std::optional<FloatsOut<2>>& numbers, std::size_t rows, std::size_t globals) {
    return numbers ? numbers->shape(0) == rows && numbers->shape(1) == globals : globals == 0;
}

}  // namespace tengen::bind
