// Choosing the smallest board capacity at run time.
#pragma once

#include <algorithm>
#include <type_traits>

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

}  // namespace tengen::go
