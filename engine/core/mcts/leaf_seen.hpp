// The encoding of a leaf for a network: the position, its past and the facts that an encoder is told, through a
// symmetry.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/features.hpp"
#include "core/mcts/leaf.hpp"

namespace tengen::mcts {

// `turns`: through all symmetries, each position through one that is its own under the seed.
template <class Facts>
struct Sight {
    bool turns = false;
    std::uint64_t seed = 0;
    Facts facts{};
};

template <GameState S, class F>
    requires FeatureEncoder<F, S> || ChosenEncoder<F>
struct LeafSeen {
    using Facts = typename FactsOf<F>::type;

    static int symmetry(const Sight<Facts>& sight, const S& state) {
        if (!sight.turns) return 0;
        std::uint64_t key = state.state_key() ^ sight.seed;
        return static_cast<int>(
            splitmix64(key) %
            static_cast<std::uint64_t>(set_of<F>(sight.facts).symmetries(state.width(), state.height())));
    }
    // The place of a dense move in a policy, or of a cell among owners.
    static std::size_t place(const Sight<Facts>& sight, const S& state, int dense, int symmetry) {
        return static_cast<std::size_t>(
            set_of<F>(sight.facts).policy_index(dense, state.width(), state.height(), symmetry));
    }

    // `given`: the positions before the last moves to the root, newest last.
    static void encode(const Sight<Facts>& sight, const Shared<S>& shared, const std::vector<S>& given,
                       const Leaf<S>& leaf, int symmetry, float* planes, float* globals) {
        std::vector<int> recent;  // native moves, newest last
        for (const int dense : shared.facts.recent) recent.push_back(dense < 0 ? -1 : shared.state.from_dense(dense));
        for (int i = 0; i < leaf.trace.size(); ++i) recent.push_back(leaf.trace.move(i));
        std::array<int, static_cast<std::size_t>(S::kMaxMoves)> out;
        const auto count = static_cast<std::size_t>(mcts::banned(shared.facts, leaf, out.data()));
        const std::vector<S> before = positions_before(set_of<F>(sight.facts).earlier, shared, given, leaf);
        std::vector<const S*> earlier;
        for (const S& position : before) earlier.push_back(&position);
        const Past<S> past{recent, {out.data(), count}, earlier};
        const auto encode_one = [&](const S& state) {
            if constexpr (std::is_same_v<Facts, NoFacts>)
                F::encode(state, past, symmetry, planes, globals);
            else
                F::encode(state, past, symmetry, planes, globals, F::below(sight.facts, leaf.depth));
        };
        if constexpr (requires(S state) { state.set_komi(state.komi()); }) {
            if (shared.facts.komi_shift != 0) {
                S shifted = leaf.state;
                shifted.set_komi(shifted.komi() - shared.facts.komi_shift);
                return encode_one(shifted);
            }
        }
        encode_one(leaf.state);
    }

private:
    // As many positions before the last moves to a leaf as the encoder wants and are known, newest last.
    static std::vector<S> positions_before(int wanted, const Shared<S>& shared, const std::vector<S>& given,
                                           const Leaf<S>& leaf) {
        const int plies = leaf.trace.size();
        std::vector<S> out;
        if (wanted == 0) return out;
        out.reserve(static_cast<std::size_t>(wanted));
        const int known = static_cast<int>(given.size());
        for (int i = std::max(0, known - std::max(0, wanted - plies)); i < known; ++i)
            out.push_back(given[static_cast<std::size_t>(i)]);
        S at = shared.state;
        for (int i = 0; i < plies; ++i) {
            if (plies - i <= wanted) out.push_back(at);
            at.play(leaf.trace.move(i));
        }
        return out;
    }
};

}  // namespace tengen::mcts
