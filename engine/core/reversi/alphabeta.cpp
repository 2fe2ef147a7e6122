#include "core/reversi/alphabeta.hpp"

#include "core/reversi/searched.hpp"

namespace tengen::reversi {
namespace {

constexpr EvaluatorFacts kFacts[] = {
    {"patterns", "what lies on edges, corners, rows and diagonals, by phase", true},
    {"mobility", "moves, corners and open discs; needs no weights"},
};

// Tables that a search shares with others.
class Patterns {
public:
    static constexpr bool kUsesIndices = true;
    explicit Patterns(const AlphaBetaSettings& settings) : tables_(settings.tables) {}
    int evaluate(const Indices& indices, int sign, int empties) const {
        return tables_->evaluate(indices, sign, empties);
    }
    const ProbCut* probcut() const { return tables_->probcut(); }
    const std::shared_ptr<const PatternTables>& tables() const { return tables_; }

private:
    std::shared_ptr<const PatternTables> tables_;
};

class Mobility : public MobilityEvaluation {
public:
    explicit Mobility(const AlphaBetaSettings&) {}
};

// Made as the search asks. What is solved is so whatever the evaluation.
template <class Evaluation>
class Position : public Searched<Evaluation> {
public:
    struct Kept {
        explicit Kept(const AlphaBetaSettings& settings) : evaluation(settings) {}
        std::size_t bytes() const {
            const auto tables = evaluation.tables();
            return solved->bytes() + (tables ? tables->bytes() : 0);
        }
        Evaluation evaluation;
        std::shared_ptr<SolverMemory> solved = std::make_shared<SolverMemory>(Searched<Evaluation>::kTableBits);
    };
    Position(const State& root, const Kept& kept) : Searched<Evaluation>(root, kept.evaluation, kept.solved) {}
};

// The parts that a search would silently do without.
template <class P>
constexpr bool kIsWhole = alphabeta::Solves<P, alphabeta::NodeSearch<P>> && alphabeta::KnowsEnd<P> &&
                          alphabeta::OrdersMoves<P> && alphabeta::Foretells<P>;
static_assert(kIsWhole<Position<Mobility>> && kIsWhole<Position<Patterns>>);

}  // namespace

std::span<const EvaluatorFacts> AlphaBetaFamily::evaluators() { return kFacts; }

void AlphaBetaFamily::check_weights(const std::string& evaluator, EvaluatorSettings& own) {
    if (evaluator == "patterns") own.tables = PatternTables::of(own.weights);
}

std::unique_ptr<search::AnySearch<AlphaBetaFamily>> AlphaBetaFamily::make(const std::string& evaluator, const Root&,
                                                                          const Settings& settings,
                                                                          const EvaluatorSettings& own) {
    if (evaluator == "mobility")
        return std::make_unique<alphabeta::SearchOf<AlphaBetaFamily, Position<Mobility>>>(settings, own);
    return std::make_unique<alphabeta::SearchOf<AlphaBetaFamily, Position<Patterns>>>(settings, own);
}

}  // namespace tengen::reversi
