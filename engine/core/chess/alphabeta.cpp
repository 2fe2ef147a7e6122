#include "core/chess/alphabeta.hpp"

#include "core/chess/network.hpp"
#include "core/chess/searched.hpp"
#include "core/chess/tables.hpp"

namespace tengen::chess {
namespace {

// Evaluations as the search makes them.
class FromNetwork : public NetworkEvaluation {
public:
    explicit FromNetwork(const AlphaBetaSettings& settings) : NetworkEvaluation(settings.network) {}
};

class FromTables : public TablesEvaluation {
public:
    explicit FromTables(const AlphaBetaSettings&) {}
};

template <class Evaluation>
class PositionBy : public Searched<Evaluation> {
public:
    using Kept = Evaluation;
    using Searched<Evaluation>::Searched;
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole = alphabeta::JudgesNodes<P> && alphabeta::ReadsExchanges<P> && alphabeta::GivesTrouble<P> &&
                          alphabeta::ExtendsSingular<P> && alphabeta::Reduces<P> && alphabeta::OrdersNarrowly<P> &&
                          alphabeta::RemembersDeeds<P> && alphabeta::EndsWithoutMoves<P> && alphabeta::MayRepeat<P> &&
                          alphabeta::KnowsReversible<P> && alphabeta::DoubtsTable<P> && alphabeta::MayDoNothing<P> &&
                          alphabeta::OrdersMoves<P> && alphabeta::KnowsDraws<P> && alphabeta::HasAspects<P> &&
                          alphabeta::MayClaim<P> && alphabeta::KnowsMates<P>;
static_assert(kIsWhole<PositionBy<FromTables>> && kIsWhole<PositionBy<FromNetwork>>);

}  // namespace

struct ByNetwork {
    static constexpr EvaluatorFacts kFacts{"network", "a network over pieces and squares, updated from move to move",
                                           true};
    using Position = PositionBy<FromNetwork>;
    static void check(AlphaBetaSettings& own) { own.network = Network::of(own.weights); }
};

struct ByTables {
    static constexpr EvaluatorFacts kFacts{"tables",
                                           "pieces by their squares, middle game and ending; needs no weights"};
    using Position = PositionBy<FromTables>;
};

}  // namespace tengen::chess

template struct tengen::alphabeta::Family<tengen::chess::State, tengen::chess::AlphaBetaSettings,
                                          tengen::chess::ByNetwork, tengen::chess::ByTables>;
