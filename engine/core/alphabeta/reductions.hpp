// How many plies less a late move is looked at first. Part of node.hpp.
#pragma once

#include "core/alphabeta/node.hpp"

namespace tengen::alphabeta {

// The later a move and the deeper the search, the more; less where history speaks for it, more where a cut is expected
// or the table's move takes something.
template <Position P>
int NodeSearch<P>::reduction(const Node& node, int move, bool quiet, int number, int history,
                             const Scene& scene) const {
    if constexpr (!Reduces<P>) return 0;
    if (node.depth < 3 || number < 3 - 2 * Prunes<P>) return 0;
    if (!quiet && !Prunes<P>) return 0;
    constexpr int kKnown = 64;  // depths and moves
    constexpr double kFirst = Prunes<P> ? 0.75 : 0.5, kSlow = Prunes<P> ? 2.1 : 2.25;
    static const auto table = [] {
        std::array<std::array<double, kKnown>, kKnown> out{};
        for (std::size_t d = 1; d < kKnown; ++d)
            for (std::size_t n = 1; n < kKnown; ++n)
                out[d][n] = kFirst + std::log(static_cast<double>(d)) * std::log(static_cast<double>(n)) / kSlow;
        return out;
    }();
    const double plain = table[static_cast<std::size_t>(std::min(node.depth, kKnown - 1))]
                              [static_cast<std::size_t>(std::min(number, kKnown - 1))];
    int less = static_cast<int>(plain) - node.is_pv;
    if constexpr (Prunes<P>) {
        less += !node.improves + node.is_cut + node.first_takes;
        less -= node.is_in_trouble + position_.troubles(move);
        if (quiet)
            less -= learned_.is_killer(move, scene) + history / (Learned<P>::kMost / 2);
        else
            less = less / 2 - 1;
    } else {
        less -= history / (Learned<P>::kMost / 2);
    }
    return std::clamp(less, 0, node.depth - 2);
}

}  // namespace tengen::alphabeta
