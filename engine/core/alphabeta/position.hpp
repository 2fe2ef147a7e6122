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

namespace tengen::alphabeta {

using Score = int;
inline constexpr int kMaxPly = 256;  // no line is longer
inline constexpr Score kWin = 32000, kInfinite = kWin + 1;
inline constexpr Score kSurelyWon = kWin - kMaxPly;  // from here on a score counts plies
inline constexpr Score kLargest = kSurelyWon - 1;    // of what an evaluation says

inline bool is_decisive(Score score) { return score >= kSurelyWon || score <= -kSurelyWon; }
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

// Optional, `kAlternates = true`: what searches find swings by who moved last, so that those of every second depth order
// moves better for each other than all of them do. A run that is bounded by depth leaves out the others.
template <class P>
concept Alternates = requires { requires P::kAlternates; };

// Optional, beside kTrustsLeaves: the evaluation after a move, for who is to move then, without playing it. Free moves
// are not asked about.
template <class P>
concept LooksAhead = TrustsLeaves<P> && requires(const P view, int move) {
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

// Optional: what a move promises, more is tried earlier; beside what the search itself learns of it, which is up to
// 16,384 by history and some thousands more for killers.
template <class P>
concept OrdersMoves = requires(const P view, std::span<const int> moves, int depth, int* worth) {
    { view.order(moves, depth, worth) };
};
// Optional, `kOrdersNarrowly = true`: what `order` says stays within +-500,000, so that moves are ranked in 32 bits.
template <class P>
concept OrdersNarrowly = !OrdersMoves<P> || requires { requires P::kOrdersNarrowly; };

// Optional: moves that change much (captures, threats). They are looked at beyond the depth, are reduced by none, and
// have no history. Without it all moves are quiet and the evaluation is trusted as it is.
template <class P>
concept HasTactics = requires(const P view, int move, int* out) {
    { view.is_tactical(move) } -> std::same_as<bool>;
    { view.tactical_moves(out) } -> std::same_as<int>;  // all evasions where the side to move is in trouble
    { view.is_in_trouble() } -> std::same_as<bool>;     // check: nothing may be left undone
};

// Optional, `kReduces = true`: moves that come late are looked at less deeply at first.
template <class P>
concept Reduces = requires { requires P::kReduces; };

// Optional: a side may do nothing as a trial; where doing nothing is bad, `may_do_nothing` says no.
template <class P>
concept MayDoNothing = requires(P position, const P view, typename P::Undo& undo) {
    { view.may_do_nothing() } -> std::same_as<bool>;
    { position.do_nothing(undo) };
    { position.undo_nothing(undo) };
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

// Optional, beside MayRepeat: how many plies ago a position may have been that this one can repeat.
template <class P>
concept KnowsReversible = requires(const P view) {
    { view.reversible() } -> std::same_as<int>;
};

// Optional, beside HasTactics: moves have a mover and a target, by which what was learned of them is kept together with
// the moves before (continuation history); tactical ones by what they take, too. `kDeeds` deeds, `kPrizes` prizes.
template <class P>
concept RemembersDeeds = HasTactics<P> && requires(const P view, int move) {
    { P::kDeeds } -> std::convertible_to<int>;
    { P::kPrizes } -> std::convertible_to<int>;
    { view.deed(move) } -> std::same_as<int>;
    { view.prize(move) } -> std::same_as<int>;
};

// Optional, beside HasTactics, `kJudgesNodes = true`: the evaluation is asked at every node, and is fine enough to leave
// out what cannot come back to the window (futility, razoring, late-move pruning).
template <class P>
concept JudgesNodes = HasTactics<P> && requires { requires P::kJudgesNodes; };

// Optional, beside HasTactics, `kExtendsSingular = true`: a move that alone is good is looked at deeper.
template <class P>
concept ExtendsSingular = HasTactics<P> && requires { requires P::kExtendsSingular; };

// Optional, beside HasTactics: whether a move wins `least` or more by exchanges (static exchange evaluation), and at most
// how much it may win; both in score units. Moves that lose by exchanges are tried last, or left out.
template <class P>
concept ReadsExchanges = HasTactics<P> && requires(const P view, int move, Score least) {
    { view.gains(move, least) } -> std::same_as<bool>;
    { view.promises(move) } -> std::same_as<int>;
};

// Optional, beside HasTactics: whether a move surely leads to trouble (gives check).
template <class P>
concept GivesTrouble = HasTactics<P> && requires(const P view, int move) {
    { view.troubles(move) } -> std::same_as<bool>;
};

// Optional: aspects of a position, such as its pawns, by which the evaluation is wrong alike; each as a
// number that positions share which share the aspect. `is_judged`: the evaluation is a judgement, that may be wrong.
template <class P>
concept HasAspects = requires(const P view, int aspect) {
    { P::kAspects } -> std::convertible_to<int>;
    { view.is_judged() } -> std::same_as<bool>;
    { view.aspect(aspect) } -> std::same_as<std::size_t>;
};

// Optional: how probable a draw is at an estimate, 0..1; `win_rate` counts half of it.
template <class P>
concept KnowsDraws = requires(Score score) {
    { P::draw_rate(score) } -> std::convertible_to<double>;
};

// Optional: how well a shallow search foretells a deep one (ProbCut, Buro 1995): its depth and the standard deviation
// of the difference. Depth 0: the evaluation foretells it. Deviation 0: it is not tried. `foretells` is false where
// nothing is known of any depth.
struct Foretelling {
    int depth = 0;
    double deviation = 0;
};
template <class P>
concept Foretells = requires(const P view, int depth) {
    { view.foretelling(depth) } -> std::same_as<Foretelling>;
    { view.foretells() } -> std::same_as<bool>;
};

// Optional: a solver that takes a position over which the search would look at `depth` plies deep, at a level of
// selectivity. `count.count(n)` tells it of n nodes and says whether it has to end; the score is within (alpha, beta)
// or a bound on that side, and exact whatever the depth. Nothing: it is not for the solver, or over.
template <class P, class Count>
concept Solves = requires(P position, int depth, Score alpha, Score beta, int level, Count& count) {
    { position.solve(depth, alpha, beta, level, count) } -> std::same_as<std::optional<Score>>;
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
