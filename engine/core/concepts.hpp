// The interfaces of a game and of an evaluator for the searches. A new game satisfies these and nothing else.
//
// Native moves are small ints of the game's own choosing (Go: padded board indices, 0 = pass), below
// State::kMoveBound; `to_dense` / `from_dense` map them to the dense moves that everything outside the core uses. What
// dense moves mean is the game's business (cells, a pass behind them, from and to, ...): the searches know only that
// they are in 0..move_bound()-1, and `from_dense` takes any of these, legal or not.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "core/random.hpp"

namespace tengen {

// A value copied by searches. Players are 0 (moves first) and 1.
template <class S>
concept GameState = std::copyable<S> && requires(S state, const S view, int move, int* out) {
    { S::kMoveBound } -> std::convertible_to<int>;            // native moves are in 0..kMoveBound-1
    { S::kMaxMoves } -> std::convertible_to<int>;             // no position has more moves
    { S::kMaxCells } -> std::convertible_to<int>;             // board cells, for ownership
    { S::kPassMove } -> std::convertible_to<int>;             // the native pass, -1 if the game has none
    { S::kCandidatesComplete } -> std::convertible_to<bool>;  // candidate_moves leaves out no legal move
    { view.to_move() } -> std::same_as<int>;
    { view.cells() } -> std::same_as<int>;
    { view.move_bound() } -> std::same_as<int>;
    { view.candidate_moves(out) } -> std::same_as<int>;  // legal moves worth a search; 0 only if terminal
    { view.is_legal(move) } -> std::same_as<bool>;
    { view.is_terminal() } -> std::same_as<bool>;
    { view.margin() } -> std::convertible_to<float>;  // of a terminal position, + = player 0 ahead
    { state.play(move) };                             // a legal native move
    { view.may_repeat(move) } -> std::same_as<bool>;  // false: surely no earlier position recurs
    { view.repetition_key() } -> std::same_as<std::uint64_t>;
    { view.repetition_key_after(move) } -> std::same_as<std::uint64_t>;
    { view.state_key() } -> std::same_as<std::uint64_t>;
    { view.to_dense(move) } -> std::same_as<int>;
    { view.from_dense(move) } -> std::same_as<int>;
};

// Optional, `static constexpr bool kRepetitionDraws = true`: a position that recurs is a draw; in all other games with
// `may_repeat` the move that would repeat one is forbidden.
template <class S>
concept DrawsByRepetition = requires { requires S::kRepetitionDraws; };

// Optional, `view.forbids_repetition()`: whether the rules of this game do so beyond what `is_legal` knows (superko).
template <class S>
bool forbids_repetition(const S& view) {
    if constexpr (requires { view.forbids_repetition(); })
        return view.forbids_repetition();
    else
        return false;
}

// Optional, `view.locality()`: a key, not 0, that positions share which look alike around their last move; an evaluator
// is thought to err alike in them.
template <class S>
concept HasLocality = requires(const S view) {
    { view.locality() } -> std::same_as<std::uint64_t>;
};

// The prior of a child before its first visit: virtual wins out of virtual visits.
struct Prior {
    float wins, visits;
};

// The moves of one simulation below the root, with their players, for AMAF statistics.
class Trace {
public:
    static constexpr int kCapacity = 4096;
    void clear() { size_ = 0; }
    void add(int move, int player) {
        if (size_ < kCapacity) moves_[size_++] = static_cast<std::uint16_t>(move << 1 | player);
    }
    int size() const { return size_; }
    int move(int i) const { return moves_[i] >> 1; }
    int player(int i) const { return moves_[i] & 1; }

private:
    int size_ = 0;
    std::uint16_t moves_[kCapacity];
};

// A static opinion of a position: player 0's win rate, and its share in the value of the leaf, both 0..1.
struct Judgement {
    double win, share;
};

// An evaluator that is asked in two steps: for priors when a leaf gets moves, and for a value at each leaf.
template <class E, class S>
concept SteppedEvaluator = requires(E evaluator, const S view, S state, Random random, Trace trace,
                                    std::span<const int> moves, Prior* priors) {
    // Fill one prior a move, for the side to move at `view`.
    { evaluator.priors(view, moves, priors) };
    // Play `state` out (it is consumed) and return the margin, + = player 0 ahead; add every move to the trace.
    { evaluator.evaluate(state, random, trace) } -> std::convertible_to<float>;
};

// An evaluator, such as a small network, that says both at once: a leaf gets its moves when it is first visited.
template <class E, class S>
concept AnsweringEvaluator = requires(E evaluator, const S view, std::span<const int> moves, Prior* priors) {
    // Fill one prior a move and return the margin, + = player 0 ahead. `moves` may be empty.
    { evaluator.answer(view, moves, priors) } -> std::convertible_to<float>;
};

// `static constexpr bool kAwaited = true`: priors and values come later, for many leaves at once
// (core/mcts/forest.hpp).
template <class E>
concept AwaitedEvaluator = requires { requires E::kAwaited; };

// The contract of every evaluator. It answers in one of three ways, inline in the first two. One instance a thread,
// copied from one that the game's Family made (core/search/native.hpp); what is large in it is shared, not copied. It
// names no search. The concepts below say what it may do beyond that.
template <class E, class S>
concept LeafEvaluator = GameState<S> && (SteppedEvaluator<E, S> || AnsweringEvaluator<E, S> || AwaitedEvaluator<E>) &&
                        requires(E evaluator, const S view, std::int32_t* ownership) {
                            { E::kUsesAmaf } -> std::convertible_to<bool>;
                            // After a value was said: add +1 for each cell player 0 owns at the end, -1 for player 1; `ownership` has
                            // cells() entries. A stepped evaluator gets the state it played out.
                            { evaluator.add_ownership(view, ownership) };
                        };

// Optional: an evaluator that has a static opinion, blended with the result of `evaluate`.
template <class E, class S>
concept JudgingEvaluator = LeafEvaluator<E, S> && requires(E evaluator, const S view) {
    { evaluator.judge(view) } -> std::same_as<Judgement>;
};

// Optional: an evaluator that may know who wins with best play. True: it does, and the sign of `margin` says it, + =
// player 0; how much the margin is may be a bound. It is taken for a proof.
template <class E, class S>
concept SolvingEvaluator = LeafEvaluator<E, S> && requires(E evaluator, const S view, float& margin) {
    { evaluator.solve(view, margin) } -> std::same_as<bool>;
};

// Exact knowledge of an evaluator about a position, when it is asked for the moves to search.
struct Advice {
    int count = 0;          // moves written, at least one unless the position is terminal
    int proof = 0;          // 1: the side to move has won, by the first move written; -1: it has lost; 0: unknown
    bool complete = false;  // no move left out could be better than those written
};

// Optional: an evaluator that names the moves to search in place of State::candidate_moves, and proves results.
template <class E, class S>
concept Adviser = LeafEvaluator<E, S> && requires(E evaluator, const S view, bool at_root, int* moves) {
    { evaluator.advise(view, at_root, moves) } -> std::same_as<Advice>;
};

// Optional, `static constexpr bool kPolicyPriors = true`: Prior::wins is the probability of the move (PUCT).
template <class E>
concept PolicyEvaluator = requires { requires E::kPolicyPriors; };

// Optional, `static constexpr bool kMarginIsValue = true`: a margin is player 0's expected result, -1..1.
template <class E>
concept ValueEvaluator = requires { requires E::kMarginIsValue; };

}  // namespace tengen
