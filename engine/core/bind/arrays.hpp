// New numpy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>

namespace tengen::bind {

namespace nb = nanobind;

// A new numpy array of this shape that owns its data, uninitialised: fill it through data().
template <class T, class... Extent>
auto make_array(Extent... extents) {
    std::size_t size = 1;
    for (std::size_t extent : {static_cast<std::size_t>(extents)...}) size *= extent;
    auto data = std::make_unique<T[]>(size);
    nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<sizeof...(Extent)>>(data.release(),
                                                                  {static_cast<std::size_t>(extents)...}, owner);
}

}  // namespace tengen::bind
