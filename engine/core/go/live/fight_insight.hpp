// What reading says of a leaf: fights that were read at the root are read on below it, and the network's owners of their
// chains give way to what is proved.
#pragma once

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/go/reading/reader.hpp"
#include "core/go/state.hpp"
#include "core/mcts/insight.hpp"

namespace tengen::go {

template <int N>
class FightInsight final : public mcts::Insight<State<N>> {
public:
    void begin(const State<N>& root, const search::Bounds& bounds, const search::StopToken& stop) override;
    void prepare() override;
    bool is_on() const override { return !fights_.empty(); }
    mcts::Correction correct(const State<N>& leaf, int depth, const mcts::Owners& owners) override;

private:
    using Fate = reading::Fate;
    using Side = reading::Side;
    using Position = reading::Position;
    using Clock = std::chrono::steady_clock;
    static constexpr double kCellsOf19 = 361;

    struct Known {
        std::uint64_t key = 0;
        Fate fate = Fate::kUnknown;
        std::int8_t move = -1;  // a node
    };
    // A fight that was read at the root, and its cells on the board.
    struct Watched {
        reading::Fight fight;
        std::vector<int> target, inside;       // its stones; empty points that only its side touches
        std::vector<std::pair<int, int>> rim;  // cells beside the fight that had stones, and the stones
    };
    // A fight that whoever moves first decides.
    struct Open {
        const Watched* of;
        Position at;
        std::array<int, 2> move;     // by side, a node that decides it
        std::array<bool, 2> is_won;  // by side, whether it is known to decide it by moving first
        bool is_decided = false;
    };
    struct Verdict {
        const Watched* of;
        bool lives;
    };

    // Nodes that a visit adds.
    double a_visit(const State<N>& state) const { return this->settings().reading_leaf * state.cells() / kCellsOf19; }
    double trust_of(const Watched& watched) const {
        return watched.fight.gaps > 0 ? this->settings().reading_trust_open : this->settings().reading_trust;
    }
    // Points between life and death.
    static double stake(const Watched& watched) {
        return 2 * static_cast<double>(watched.target.size() + watched.inside.size());
    }
    void watch(const reading::Finding& finding);
    bool position(const Watched& watched, const State<N>& leaf, Position& out) const;
    Known fate(const Watched& watched, const Position& at, Side first, int depth);
    void keep(const Watched& watched, const Position& at, Side first, Known known);
    void ask(const Watched& watched, const Position& at, Side mover, int depth);
    int take_turns(int stone, int depth);
    float points(const mcts::Owners& owners);

    std::unique_ptr<reading::Reader> reader_;
    State<N> root_{9, 9, {}, 0};
    search::StopToken stop_;
    Clock::time_point deadline_;
    bool is_waiting_ = false, has_deadline_ = false;
    double nodes_ = 0, left_ = 0;  // nodes for reading the root of a run, and below it
    std::vector<Watched> fights_;
    std::vector<Known> known_;
    int deed_ = -1;  // the cell of the root's move that decides most
    // Of one leaf.
    std::vector<Open> open_;
    std::vector<Verdict> verdicts_;
    std::vector<std::uint32_t> seen_;  // cells, by `round_`
    std::uint32_t round_ = 0;
};

}  // namespace tengen::go
