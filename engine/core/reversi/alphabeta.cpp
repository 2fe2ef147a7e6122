#include "core/reversi/alphabeta.hpp"

#include "core/reversi/probcut.hpp"
#include "core/reversi/search_position.hpp"

namespace tengen::reversi {
namespace {

// Evaluations as the search makes them; tables are shared with other searches.
class FromPatterns {
public:
    static constexpr bool kUsesIndices = true;
    explicit FromPatterns(const AlphaBetaSettings& settings) : tables_(settings.tables) {
        if (const auto& numbers = tables_->probcut()) probcut_ = std::make_shared<const ProbCut>(*numbers, settings);
    }
    int evaluate(const Indices& indices, int sign, int empties) const {
        return tables_->evaluate(indices, sign, empties);
    }
    const ProbCut* probcut() const { return probcut_.get(); }
    const std::shared_ptr<const PatternTables>& tables() const { return tables_; }

private:
    std::shared_ptr<const PatternTables> tables_;
    std::shared_ptr<const ProbCut> probcut_;
};

class FromMobility : public MobilityEvaluation {
public:
    explicit FromMobility(const AlphaBetaSettings&) {}
};

// What is solved is so whatever the evaluation.
template <class Evaluation>
class PositionBy : public SearchPosition<Evaluation> {
public:
    struct Kept {
        explicit Kept(const AlphaBetaSettings& settings) : evaluation(settings), tuning(settings) {}
        std::size_t bytes() const {
            const auto tables = evaluation.tables();
            return solved->bytes() + (tables ? tables->bytes() : 0);
        }
        Evaluation evaluation;
        PositionTuning tuning;
        std::shared_ptr<SolverMemory> solved = std::make_shared<SolverMemory>(SearchPosition<Evaluation>::kTableBits);
    };
    PositionBy(const State& root, const Kept& kept)
        : SearchPosition<Evaluation>(root, kept.evaluation, kept.tuning, kept.solved) {}
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole = alphabeta::Solves<P, alphabeta::NodeSearch<P>> && alphabeta::PlansEnd<P> &&
                          alphabeta::PlansExactEnd<P> && alphabeta::SolvesWhole<P> && alphabeta::KnowsEnd<P> &&
                          alphabeta::KnowsKeysAfter<P> && alphabeta::OrdersMoves<P> && alphabeta::HasProbCut<P>;
static_assert(kIsWhole<PositionBy<FromMobility>> && kIsWhole<PositionBy<FromPatterns>>);

}  // namespace

std::span<const Option<AlphaBetaSettings>> AlphaBetaSettings::options() {
    static const auto kAll = joined<AlphaBetaSettings, PositionTuning>(position_options::kAll);
    return kAll;
}

struct ByPatterns {
    static constexpr EvaluatorFacts kFacts{"patterns", "what lies on edges, corners, rows and diagonals, by phase",
                                           true};
    using Position = PositionBy<FromPatterns>;
    static void check(AlphaBetaSettings& own) { own.tables = PatternTables::of(own.weights); }
};

struct ByMobility {
    static constexpr EvaluatorFacts kFacts{"mobility", "moves, corners and open discs; needs no weights"};
    using Position = PositionBy<FromMobility>;
};

}  // namespace tengen::reversi

template struct tengen::alphabeta::Family<tengen::reversi::State, tengen::reversi::AlphaBetaSettings,
                                          tengen::reversi::ByPatterns, tengen::reversi::ByMobility>;
