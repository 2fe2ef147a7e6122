// Choosing the smallest board capacity at run time.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/go/state.hpp"

namespace tengen::go {

// Calls f(std::integral_constant<int, N>) with the smallest compiled capacity N that holds the board.
template <class F>
decltype(auto) with_capacity(int width, int height, F&& f) {
    const int side = std::max(width, height);
    if (side <= 9) return f(std::integral_constant<int, 9>{});
    if (side <= 13) return f(std::integral_constant<int, 13>{});
    if (side <= 19) return f(std::integral_constant<int, 19>{});
    return f(std::integral_constant<int, 25>{});
}

// Calls f with a copy of the state on the smallest capacity that holds its board: what reading and copying need.
template <int N, class F>
auto on_smallest(const State<N>& state, F f) {
    return with_capacity(state.width(), state.height(), [&](auto capacity) { return f(State<capacity()>(state)); });
}

}  // namespace tengen::go
