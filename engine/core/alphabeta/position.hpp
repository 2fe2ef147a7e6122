// What alpha-beta asks of a position: moves, play and undo, an evaluation; and what it may know beyond that. No file of
// the search names a game: what only one game has arrives through the optional parts below.
//
// Scores are for the side to move, in units of the game's own: the margin where the margin is what counts (Reversi),
// else whatever the evaluation gives, and kWin less the plies to it for a game that is won.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace tengen::alphabeta {

using Score = int;
inline constexpr int kMaxPly = 256;  // no line is longer
inline constexpr Score kWin = 32000, kInfinite = kWin + 1;
inline constexpr Score kSurelyWon = kWin - kMaxPly;         // from here on a score counts plies to the end
inline constexpr Score kTableWin = kSurelyWon - 1;          // won by a table (ProbesTables), less the plies to there
inline constexpr Score kLargest = kTableWin - kMaxPly - 1;  // of what an evaluation says

// Won or lost for certain, as far as the search sees; and in a known number of plies.
inline bool is_decisive(Score score) { return score > kLargest || score < -kLargest; }
inline bool counts_plies(Score score) { return score >= kSurelyWon || score <= -kSurelyWon; }
inline Score bounded(Score evaluation) { return std::clamp(evaluation, -kLargest, kLargest); }

// A position that is played on and taken back. `Root` and `Settings` are what it is made of.
template <class P>
concept Position = std::copyable<P> && requires(P position, const P view, int move, int* out, typename P::Undo& undo) {
    { P::kMoveBound } -> std::convertible_to<int>;  // native moves are in 0..kMoveBound-1, and fit 16 bits
    { P::kMaxMoves } -> std::convertible_to<int>;
    { view.to_move() } -> std::same_as<int>;
    { view.moves(out) } -> std::same_as<int>;  // all that count, none only if terminal
    { view.is_terminal() } -> std::same_as<bool>;
    { view.result() } -> std::convertible_to<int>;  // of a terminal one: -1, 0, 1, or the margin (kMarginCounts)
    { view.key() } -> std::same_as<std::uint64_t>;  // of everything that decides what follows
    { view.evaluate() } -> std::convertible_to<int>;
    { P::win_rate(Score()) } -> std::convertible_to<double>;     // of an estimate: 0..1, a draw counts half
    { P::score_shown(Score()) } -> std::convertible_to<double>;  // of any score: in the unit that people use
    { position.play(move, undo) };
    { position.undo(move, undo) };
    { view.to_dense(move) } -> std::same_as<int>;
};

// Optional: what of a position outlives a run, P::Kept (of bytes(), if it says so), made of the evaluator's settings; P
// is then made of (Root, Kept), else of (Root, the settings).
template <class P, class Settings>
struct KeptFor {
    using Type = Settings;
};
template <class P, class Settings>
    requires requires { typename P::Kept; }
struct KeptFor<P, Settings> {
    using Type = typename P::Kept;
};

// Optional, `kMarginCounts = true`: what is won or lost by is the score; none counts plies.
template <class P>
concept CountsMargin = requires { requires P::kMarginCounts; };

// Optional: how many plies the game goes on at most. A search as deep as that is exact.
template <class P>
concept KnowsEnd = requires(const P view) {
    { view.plies_left() } -> std::same_as<int>;
};

// Optional, `kTrustsLeaves = true`: where the depth ends the evaluation is asked at once, also of a game that is over
// while `plies_left` (KnowsEnd) says that it could go on.
template <class P>
concept TrustsLeaves = requires { requires P::kTrustsLeaves; };

// Optional, `kHasOddEvenEffect = true`: scores of odd and of even depths differ (the odd-even effect), so that searches of
// every second depth order moves better for each other. A run that is bounded by depth skips the depths between them.
template <class P>
concept HasOddEvenEffect = requires { requires P::kHasOddEvenEffect; };

// Optional, beside kTrustsLeaves: the evaluation after a move, for who is to move then, without playing it. Free moves
// are not asked about.
template <class P>
concept EvaluatesAfter = TrustsLeaves<P> && requires(const P view, int move) {
    { view.evaluate_after(move) } -> std::convertible_to<int>;
};

// Optional: the key after a move. The table is asked about all of them before any is played (enhanced transposition
// cut-offs, Plaat et al. 1996).
template <class P>
concept KnowsKeysAfter = requires(const P view, int move) {
    { view.key_after(move) } -> std::same_as<std::uint64_t>;
};

// Optional: the key after a move, cheaply and nearly always right: the table is asked to come near before it is played.
template <class P>
concept GuessesKeys = requires(const P view, int move) {
    { view.likely_key_after(move) } -> std::same_as<std::uint64_t>;
};

// Optional: positions may recur. Where `kRepetitionForbidden`, the move that would repeat one is illegal, else it is a
// draw.
template <class P>
concept MayRepeat = requires(const P view, int move) {
    { P::kRepetitionForbidden } -> std::convertible_to<bool>;
    { view.may_repeat(move) } -> std::same_as<bool>;
    { view.repetition_key() } -> std::same_as<std::uint64_t>;
    { view.repetition_key_after(move) } -> std::same_as<std::uint64_t>;
};

// Optional: move ordering. Moves of greater `worth` are tried earlier. The search adds the move's history (up to 16,384
// either way) and some thousands more for killers.
template <class P>
concept OrdersMoves = requires(const P view, std::span<const int> moves, int depth, int* worth) {
    { view.order(moves, depth, worth) };
};
// Optional, `kOrdersNarrowly = true`: what `order` says stays within +-500,000, so that moves are ranked in 32 bits.
template <class P>
concept OrdersNarrowly = !OrdersMoves<P> || requires { requires P::kOrdersNarrowly; };

// Optional: tactical moves (captures, threats). Quiescence searches them beyond the depth; they have no quiet history.
// Without it all moves are quiet and the evaluation is trusted as it is.
template <class P>
concept HasTactics = requires(const P view, int move, int* out) {
    { view.is_tactical(move) } -> std::same_as<bool>;
    { view.tactical_moves(out) } -> std::same_as<int>;  // all evasions where the side to move is in check
    { view.is_in_check() } -> std::same_as<bool>;       // there is a threat that has to be answered
};
// Optional, beside HasTactics, `kNoneTactical = true`: no move is tactical but in quiescence.
template <class P>
concept HasTacticalMoves = HasTactics<P> && !requires { requires P::kNoneTactical; };

// Optional, `kReduces = true`: late-move reductions.
template <class P>
concept Reduces = requires { requires P::kReduces; };

// Optional: null moves. `may_play_null` says no where zugzwang is likely.
template <class P>
concept MayPlayNull = requires(P position, const P view, typename P::Undo& undo) {
    { view.may_play_null() } -> std::same_as<bool>;
    { position.play_null(undo) };
    { position.undo_null(undo) };
};

// Optional: moves that cost no depth, such as a pass that nobody chose; whether this position has such moves.
template <class P>
concept HasFreeMoves = requires(const P view, int move) {
    { view.is_free(move) } -> std::same_as<bool>;
    { view.has_free_moves() } -> std::same_as<bool>;
};

// Optional, `kEndsWithoutMoves = true`: a game is over where `moves` finds none, which is seen when they are asked for;
// before that only `is_drawn()` is asked, which is cheap.
template <class P>
concept EndsWithoutMoves = requires(const P view) {
    requires P::kEndsWithoutMoves;
    { view.is_drawn() } -> std::same_as<bool>;
};

// Optional: in how many plies the game is won (above 0) or lost (0 and below) for the side to move by a table that knows;
// nothing elsewhere.
template <class P>
concept KnowsMates = requires(const P view) {
    { view.known_mate() } -> std::same_as<std::optional<int>>;
};

// Optional: who wins by endgame tables that are asked inside the search: above 0 the side to move, below 0 the other, 0:
// nobody. Nothing where they do not know, or where so few plies are left that asking costs more than it saves.
template <class P>
concept ProbesTables = requires(const P view, int depth) {
    { view.probe(depth) } -> std::same_as<std::optional<int>>;
};

// Optional: whether the side to move may end the game as a draw, and need not.
template <class P>
concept MayClaim = requires(const P view) {
    { view.may_claim() } -> std::same_as<bool>;
};

// Optional: whether what the table says of the position may end the search of it; else only its move is taken.
template <class P>
concept DoubtsTable = requires(const P view) {
    { view.trusts_table() } -> std::same_as<bool>;
};

// Optional, `kTakesAnyWin = true`: a win or a loss that is proved ends a run that may stop early, though there may be a
// shorter win or a longer loss.
template <class P>
concept TakesAnyWin = requires { requires P::kTakesAnyWin; };

// Optional: all legal moves, for a root where those of `moves` may not be played.
template <class P>
concept HasOtherMoves = requires(const P view, int* out) {
    { view.all_moves(out) } -> std::same_as<int>;
};

// Optional: whether no move that `moves` (depth 0: `tactical_moves`) leaves out could be better than a lost one. Else a
// node whose moves all lose is not proved to be lost.
template <class P>
concept KnowsCompleteness = requires(const P view, int depth) {
    { view.is_complete(depth) } -> std::same_as<bool>;
};

// Optional, beside MayRepeat: how many plies ago a position may have been that this one can repeat.
template <class P>
concept KnowsReversible = requires(const P view) {
    { view.reversible() } -> std::same_as<int>;
};

// Optional, beside HasTactics: continuation history and capture history. `piece_to` numbers the piece that moves together
// with its target square, 0 to kPieceTos - 1; `captured_kind` numbers what a tactical move takes, 0 to kCapturedKinds - 1.
template <class P>
concept HasContinuationHistory = HasTactics<P> && requires(const P view, int move) {
    { P::kPieceTos } -> std::convertible_to<int>;
    { P::kCapturedKinds } -> std::convertible_to<int>;
    { view.piece_to(move) } -> std::same_as<int>;
    { view.captured_kind(move) } -> std::same_as<int>;
};

// Optional, beside HasTactics, `kPrunesByEvaluation = true`: the static evaluation is computed at every node, and is fine
// enough for futility pruning, razoring and late-move pruning.
template <class P>
concept PrunesByEvaluation = HasTactics<P> && requires { requires P::kPrunesByEvaluation; };

// Optional, beside HasTactics, `kExtendsSingular = true`: singular extensions.
template <class P>
concept ExtendsSingular = HasTactics<P> && requires { requires P::kExtendsSingular; };

// Optional, beside HasTactics: static exchange evaluation. `see_ge`: whether a move wins at least the threshold on its
// target square; `capture_value`: the most that it may win there; both in score units. Captures that lose are tried last,
// or pruned.
template <class P>
concept EvaluatesExchanges = HasTactics<P> && requires(const P view, int move, Score threshold) {
    { view.see_ge(move, threshold) } -> std::same_as<bool>;
    { view.capture_value(move) } -> std::same_as<int>;
};

// Optional, beside HasTactics: whether a move gives check; it may miss some that do.
template <class P>
concept GivesCheck = HasTactics<P> && requires(const P view, int move) {
    { view.gives_check(move) } -> std::same_as<bool>;
};

// Optional: correction history. Each correction key is the hash of a part of the position, such as its pawns: where the
// key is the same, the evaluation errs alike. `is_estimated`: the evaluation is an estimate, which may be wrong.
template <class P>
concept HasCorrectionKeys = requires(const P view, int which) {
    { P::kCorrectionKeys } -> std::convertible_to<int>;
    { view.is_estimated() } -> std::same_as<bool>;
    { view.correction_key(which) } -> std::same_as<std::size_t>;
};

// Optional: how probable a draw is at an estimate, 0..1; `win_rate` counts half of it.
template <class P>
concept KnowsDraws = requires(Score score) {
    { P::draw_rate(score) } -> std::convertible_to<double>;
};

// Optional: ProbCut by shallow searches (Buro 1995). `probcut_check` names the shallow search that predicts one of a depth.
// `has_probcut` is false where nothing is known of any depth.
struct ProbCutCheck {
    int depth = 0;         // of the shallow search; 0: the evaluation
    double deviation = 0;  // standard deviation of the difference; 0: no ProbCut at this depth
};
template <class P>
concept HasProbCut = requires(const P view, int depth) {
    { view.probcut_check(depth) } -> std::same_as<ProbCutCheck>;
    { view.has_probcut() } -> std::same_as<bool>;
};

// Optional: a solver that takes a position over which the search would look at `depth` plies deep, at a level of
// selectivity. `count.count(n)` tells it of n nodes and says whether it has to end; the score is within (alpha, beta)
// or a bound on that side, and exact whatever the depth. Nothing: it is not for the solver, or over.
template <class P, class Count>
concept Solves = requires(P position, int depth, Score alpha, Score beta, int level, Count& count) {
    { position.solve(depth, alpha, beta, level, count) } -> std::same_as<std::optional<Score>>;
};

// Optional: searches of the root that are asked between the steps; nodes: of the run so far; `count` as above.
// `solve_root`: a move that wins and its score. `refutes`: whether the move of the root is shown to lose; if so the
// position knows it from then on, in `solve`.
template <class P, class Count>
concept SolvesRoot = Solves<P, Count> && requires(P position, int move, std::uint64_t nodes, Count& count) {
    { position.solve_root(nodes, count) } -> std::same_as<std::optional<std::pair<int, Score>>>;
    { position.refutes(move, nodes, count) } -> std::same_as<bool>;
};

// Optional, beside KnowsEnd: a search that would look so deep, with something left out, looks to the end of the game at
// once.
template <class P>
concept PlansEnd = KnowsEnd<P> && requires(const P view) {
    { view.end_from() } -> std::same_as<int>;
};

// Optional, beside KnowsEnd: the same of a search that leaves nothing out.
template <class P>
concept PlansExactEnd = KnowsEnd<P> && requires(const P view) {
    { view.exact_from() } -> std::same_as<int>;
};

// Optional, beside Solves: whether the solver answers for the whole position soon, so that one level of selectivity before
// the exact search is enough.
template <class P>
concept SolvesWhole = requires(const P view) {
    { view.solves_whole() } -> std::same_as<bool>;
};

template <class P>
Score final_score(const P& position, int ply) {
    const int result = position.result();
    if constexpr (CountsMargin<P>) return result;
    return result > 0 ? kWin - ply : result < 0 ? -kWin + ply : 0;
}

// What is known of the end without a search, at this ply.
template <class P>
std::optional<Score> known_end(const P& position, int ply) {
    if constexpr (EndsWithoutMoves<P>)
        if (position.is_drawn()) return 0;
    if constexpr (KnowsMates<P>)
        if (const auto plies = position.known_mate()) return *plies > 0 ? kWin - ply - *plies : -kWin + ply - *plies;
    if constexpr (!EndsWithoutMoves<P>)
        if (position.is_terminal()) return final_score(position, ply);
    return std::nullopt;
}

}  // namespace tengen::alphabeta
