// What reading says of a leaf: fights that were read at the root are read on below it, and the network's owners of their
// chains give way to what is proved.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/go/reading/reader.hpp"
#include "core/go/state.hpp"
#include "core/mcts/insight.hpp"

namespace tengen::go::reading {

template <int N>
class FightInsight final : public mcts::Insight<State<N>> {
public:
    void configure(double nodes) override { nodes_ = nodes; }
    bool is_on() const override { return !findings_.empty(); }
    void begin(const State<N>& root, const search::Bounds& bounds) override;
    mcts::Correction correct(const State<N>& leaf, int depth, const mcts::Owners& owners) override;

private:
    struct Known {
        Fate fate = Fate::kUnknown;
        int move = -1;
    };
    struct Watched {
        Finding finding;
        std::vector<std::pair<int, int>> rim;  // cells beside the region that had stones, and the stones
        std::unordered_map<std::uint64_t, Known> known;
    };
    bool position(const Watched& watched, const State<N>& leaf, Position& out) const;
    Known fate(Watched& watched, const Position& at, Side first, int depth);

    double nodes_ = 0;
    std::uint64_t until_ = 0;
    Reader reader_;
    std::vector<Watched> findings_;
    int deed_ = -1;  // the cell of the root's move that decides most
    std::uint64_t root_key_ = 0;
};

}  // namespace tengen::go::reading
