// Three men's morris, written against core/concepts.hpp alone: what a new game costs. Each side places three men on
// 3x3 points, then moves any of them to any empty point; three in a line win. What it has that the games on stones have
// not: moves beyond the cells (9 + 9 * from + to), no pass, and draws by repetition.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/mcts/family.hpp"

namespace toy {

class State {
public:
    static constexpr int kSide = 3, kCells = 9, kMen = 3;
    static constexpr int kMoveBound = kCells + kCells * kCells, kMaxMoves = kCells, kMaxCells = kCells;
    static constexpr int kPassMove = -1;  // there is none
    static constexpr bool kCandidatesComplete = true, kRepetitionDraws = true;

    int to_move() const { return to_move_; }
    void set_to_move(int player) { to_move_ = player; }
    int cells() const { return kCells; }
    int move_bound() const { return kMoveBound; }
    int width() const { return kSide; }
    int height() const { return kSide; }
    int stone(int cell) const { return board_[0] >> cell & 1 ? 1 : board_[1] >> cell & 1 ? 2 : 0; }

    bool has_won(int player) const {
        for (unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u})
            if ((board_[player] & line) == line) return true;
        return false;
    }
    bool is_terminal() const { return has_won(0) || has_won(1); }
    float margin() const { return static_cast<float>(has_won(0)) - static_cast<float>(has_won(1)); }

    bool is_legal(int move) const {
        if (move < 0 || move >= kMoveBound || is_terminal()) return false;
        if (is_placing()) return move < kCells && stone(move) == 0;
        return move >= kCells && board_[to_move_] >> from(move) & 1 && stone(to(move)) == 0;
    }
    int candidate_moves(int* out) const {
        int count = 0;
        for (int move = is_placing() ? 0 : kCells; move < (is_placing() ? kCells : kMoveBound); ++move)
            if (is_legal(move)) out[count++] = move;
        return count;
    }
    void play(int move) {
        if (move >= kCells) board_[to_move_] &= ~(1u << from(move));
        board_[to_move_] |= 1u << to(move);
        to_move_ ^= 1;
    }

    bool may_repeat(int move) const { return move >= kCells; }
    std::uint64_t position_key() const {
        std::uint64_t seed = board_[0] | board_[1] << 9;
        return tengen::splitmix64(seed);
    }
    std::uint64_t repetition_key() const { return position_key() ^ (to_move_ ? 0x9e3779b97f4a7c15ULL : 0); }
    std::uint64_t repetition_key_after(int move) const { return after(move).repetition_key(); }
    std::uint64_t state_key() const { return repetition_key(); }
    State after(int move) const {
        State next = *this;
        next.play(move);
        return next;
    }
    int to_dense(int move) const { return move; }
    int from_dense(int move) const { return move; }

    static int from(int move) { return (move - kCells) / kCells; }  // of a man that is moved
    static int to(int move) { return move < kCells ? move : (move - kCells) % kCells; }
    int in_hand(int player) const { return kMen - std::popcount(board_[player]); }

private:
    bool is_placing() const { return in_hand(to_move_) > 0; }

    std::array<unsigned, 2> board_{};  // one bit a cell, row-major from the top
    int to_move_ = 0;
};

struct PlayoutSettings {
    double playouts = 1, plies = 40;
    std::shared_ptr<const tengen::Weights> weights;
};

inline constexpr tengen::Option<PlayoutSettings> kOptions[] = {
    {"playouts", &PlayoutSettings::playouts, 0, 1, "whether a leaf is played out; else it is a draw",
     tengen::Kind::check},
    {"plies", &PlayoutSettings::plies, 1, 100, "length of a playout that is a draw", tengen::Kind::whole},
};

// Uniform playouts without priors; one that does not end is a draw.
class Evaluator {
public:
    static constexpr bool kUsesAmaf = false;
    explicit Evaluator(const PlayoutSettings& settings)
        : plies_(settings.playouts != 0 ? static_cast<int>(settings.plies) : 0) {}
    void priors(const State&, std::span<const int> moves, tengen::Prior* out) const {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = {0, 0};
    }
    float evaluate(State& state, tengen::Random& random, tengen::Trace&) const {
        int moves[State::kMaxMoves];
        for (int ply = 0; ply < plies_ && !state.is_terminal(); ++ply) {
            const int count = state.candidate_moves(moves);
            state.play(moves[random.below(static_cast<std::uint32_t>(count))]);
        }
        return state.margin();
    }
    void add_ownership(const State& state, std::int32_t* ownership) const {
        for (int cell = 0; cell < State::kCells; ++cell)
            ownership[cell] += (state.stone(cell) == 1) - (state.stone(cell) == 2);
    }

private:
    int plies_;
};

// What a man is worth by where it stands; the sum says who is ahead. The values are weights: "values", f32 of 9.
class TableEvaluator {
public:
    static constexpr bool kUsesAmaf = false, kMarginIsValue = true;
    explicit TableEvaluator(const PlayoutSettings& settings)
        : weights_(settings.weights), values_(weights_->get<float>("values", {State::kCells})) {}
    void priors(const State&, std::span<const int> moves, tengen::Prior* out) const {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = {0, 0};
    }
    float evaluate(State& state, tengen::Random&, tengen::Trace&) const {
        float sum = 0;
        for (int cell = 0; cell < State::kCells; ++cell)
            if (const int stone = state.stone(cell))
                sum += (stone == 1 ? 1.0f : -1.0f) * values_[static_cast<std::size_t>(cell)];
        return std::tanh(sum);
    }
    void add_ownership(const State&, std::int32_t*) const {}

private:
    std::shared_ptr<const tengen::Weights> weights_;
    std::span<const float> values_;
};

inline constexpr tengen::EvaluatorFacts kEvaluators[] = {
    {"uniform", "uniformly random playouts"},
    {"table", "the sum of what the men's cells are worth", true},
};

// The search by evaluator name, as core/search/native.hpp asks.
struct Family {
    using Root = State;
    using Settings = tengen::mcts::Settings;
    using EvaluatorSettings = PlayoutSettings;
    static std::span<const tengen::Option<PlayoutSettings>> options() { return kOptions; }
    static std::span<const tengen::EvaluatorFacts> evaluators() { return kEvaluators; }
    static void defaults(const std::string& evaluator, Settings& settings) {
        settings.rule = tengen::mcts::UctSettings{.c = 1.0, .rave_equivalence = 0};
        settings.expand_visits = evaluator == "table" ? 2 : 1;
    }
    static void check_weights(const std::string& evaluator, const PlayoutSettings& own) {
        if (evaluator == "table") TableEvaluator{own};
    }
    static std::unique_ptr<tengen::search::AnySearch<Family>> make(const std::string& evaluator, const State& root,
                                                                   const Settings& settings,
                                                                   const PlayoutSettings& own) {
        if (evaluator == "table")
            return std::make_unique<tengen::mcts::SearchOf<Family, State, TableEvaluator>>(root, settings, own);
        return std::make_unique<tengen::mcts::SearchOf<Family, State, Evaluator>>(root, settings, own);
    }
};

static_assert(tengen::GameState<State>);
static_assert(tengen::LeafEvaluator<Evaluator, State> && tengen::LeafEvaluator<TableEvaluator, State>);

}  // namespace toy
