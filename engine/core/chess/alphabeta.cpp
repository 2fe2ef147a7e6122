#include "core/chess/alphabeta.hpp"

#include "core/chess/network.hpp"
#include "core/chess/search_position.hpp"
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
class PositionBy : public SearchPosition<Evaluation> {
public:
    struct Kept {
        explicit Kept(const AlphaBetaSettings& settings)
            : evaluation(settings), tuning(settings), tablebases(settings.tablebases) {}
        Evaluation evaluation;
        PositionTuning tuning;
        std::shared_ptr<const Tablebases> tablebases;
    };
    PositionBy(const State& root, const Kept& kept)
        : SearchPosition<Evaluation>(root, kept.evaluation, kept.tuning, kept.tablebases.get()) {}
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole =
    alphabeta::PrunesByEvaluation<P> && alphabeta::EvaluatesExchanges<P> && alphabeta::GivesCheck<P> &&
    alphabeta::ExtendsSingular<P> && alphabeta::Reduces<P> && alphabeta::OrdersNarrowly<P> &&
    alphabeta::HasContinuationHistory<P> && alphabeta::EndsWithoutMoves<P> && alphabeta::MayRepeat<P> &&
    alphabeta::KnowsReversible<P> && alphabeta::DoubtsTable<P> && alphabeta::MayPlayNull<P> &&
    alphabeta::OrdersMoves<P> && alphabeta::KnowsDraws<P> && alphabeta::HasCorrectionKeys<P> &&
    alphabeta::MayClaim<P> && alphabeta::KnowsMates<P> && alphabeta::ProbesTables<P>;
static_assert(kIsWhole<PositionBy<FromTables>> && kIsWhole<PositionBy<FromNetwork>>);

}  // namespace

std::span<const Option<AlphaBetaSettings>> AlphaBetaSettings::options() {
    static const auto kAll = joined<AlphaBetaSettings, PositionTuning>(kPositionOptions);
    return kAll;
}

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
