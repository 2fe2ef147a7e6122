#include "core/chess/alphabeta.hpp"

#include "core/chess/network.hpp"
#include "core/chess/searched.hpp"
#include "core/chess/tables.hpp"

namespace tengen::chess {
namespace {

constexpr EvaluatorFacts kFacts[] = {
    {"network", "a network over pieces and squares, updated from move to move", true},
    {"tables", "pieces by their squares, middle game and ending; needs no weights"},
};

class Tables : public TablesEvaluation {
public:
    explicit Tables(const AlphaBetaSettings&) {}
};

class ByNetwork : public NetworkEvaluation {
public:
    explicit ByNetwork(const AlphaBetaSettings& settings) : NetworkEvaluation(settings.network) {}
};

// Made as the search asks.
template <class Evaluation>
class Position : public Searched<Evaluation> {
public:
    using Kept = Evaluation;
    using Searched<Evaluation>::Searched;
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole = alphabeta::Prunes<P> && alphabeta::RemembersDeeds<P> && alphabeta::EndsWithoutMoves<P> &&
                          alphabeta::MayRepeat<P> && alphabeta::KnowsReversible<P> && alphabeta::DoubtsTable<P> &&
                          alphabeta::MayDoNothing<P> && alphabeta::OrdersMoves<P> && alphabeta::KnowsDraws<P> &&
                          alphabeta::HasAspects<P> && alphabeta::MayClaim<P> && alphabeta::KnowsMates<P>;
static_assert(kIsWhole<Position<Tables>> && kIsWhole<Position<ByNetwork>>);

}  // namespace

std::span<const EvaluatorFacts> AlphaBetaFamily::evaluators() { return kFacts; }

void AlphaBetaFamily::check_weights(const std::string& evaluator, EvaluatorSettings& own) {
    if (evaluator == "network") own.network = Network::of(own.weights);
}

std::unique_ptr<search::AnySearch<AlphaBetaFamily>> AlphaBetaFamily::make(const std::string& evaluator, const Root&,
                                                                          const Settings& settings,
                                                                          const EvaluatorSettings& own) {
    if (evaluator == "network")
        return std::make_unique<alphabeta::SearchOf<AlphaBetaFamily, Position<ByNetwork>>>(settings, own);
    return std::make_unique<alphabeta::SearchOf<AlphaBetaFamily, Position<Tables>>>(settings, own);
}

}  // namespace tengen::chess
