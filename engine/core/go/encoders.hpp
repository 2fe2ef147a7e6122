// The feature sets of Go that are encoded from a position and its past alone. "katago-v7" is told more
// (katago_features.hpp).
#pragma once

#include "core/go/capacity.hpp"
#include "core/go/clevergo.hpp"
#include "core/go/features.hpp"

namespace tengen::go {

template <int N>
std::span<const Encoder<State<N>>> encoders() {
    static const auto all = [] {
        std::vector<Encoder<State<N>>> out{encoder_of<GoV1, State<N>>()};
        for (const auto& one : clevergo_encoders<N>()) out.push_back(one);
        return out;
    }();
    return all;
}

// What is generic over games asks here (core/encoders.hpp).
struct Sets {
    using Root = State<kMaxSize>;
    static Root example(int width = 9, int height = 9) { return Root(width, height, {}, 0); }
    template <class F>
    static decltype(auto) on_smallest(const Root& root, const F& f) {
        return go::on_smallest(root, f);
    }
    template <int N>
    static auto encoders(const State<N>&) {
        return go::encoders<N>();
    }
};

}  // namespace tengen::go
