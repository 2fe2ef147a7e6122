// Arrays of float32 that go between Python and a search.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace tengen::bind {

template <int Axes>
using FloatsOut = nanobind::ndarray<float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
template <int Axes>
using FloatsIn = nanobind::ndarray<const float, nanobind::ndim<Axes>, nanobind::c_contig, nanobind::device::cpu>;
using BoolsOut = nanobind::ndarray<bool, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

}  // namespace tengen::bind
