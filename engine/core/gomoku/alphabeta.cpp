#include "core/gomoku/alphabeta.hpp"

#include "core/gomoku/search_position.hpp"

namespace tengen::gomoku {

// Of two capacities, as with_capacity has them.
struct ByLines {
    static constexpr EvaluatorFacts kFacts{"lines", "what each cell is worth by its lines, and wins by fours"};
    using Position = SearchPosition<15>;
    static void check(ThreatSettings& own) { own.networks = nullptr; }

    // Calls what(std::type_identity<P>()) with the position for a board.
    template <class What>
    static void with_position(const State<kLargest>& root, const What& what) {
        with_capacity(root.width(), root.height(),
                      [&](auto capacity) { what(std::type_identity<SearchPosition<decltype(capacity)::value>>()); });
    }
};

struct ByNetwork : ByLines {
    static constexpr EvaluatorFacts kFacts{
        "network", "a network over the lines of cells, and wins by fours; the tables for rules that it did not learn",
        true};
    static void check(ThreatSettings& own) { own.networks = LineNetworks::of(own.weights); }
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole =
    alphabeta::Solves<P, alphabeta::NodeSearch<P>> && alphabeta::SolvesRoot<P, alphabeta::Worker<P>> &&
    alphabeta::KnowsMates<P> && alphabeta::HasFreeMoves<P> && alphabeta::MayPlayNull<P> && alphabeta::GivesCheck<P> &&
    alphabeta::GuessesKeys<P> && alphabeta::OrdersMoves<P> && alphabeta::KnowsCompleteness<P> &&
    alphabeta::PrunesByEvaluation<P> && alphabeta::HasOtherMoves<P>;
static_assert(kIsWhole<SearchPosition<15>> && kIsWhole<SearchPosition<25>>);

}  // namespace tengen::gomoku

template struct tengen::alphabeta::Family<tengen::gomoku::State<tengen::gomoku::kLargest>,
                                          tengen::gomoku::ThreatSettings, tengen::gomoku::ByLines,
                                          tengen::gomoku::ByNetwork>;
