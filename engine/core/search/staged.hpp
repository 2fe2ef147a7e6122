// A search with a stage before it: any AnySearch, any RootStage of its positions. Holds the clock of both.
//
// The inner search orders the moves, the stage is asked, and what it found is laid over the inner search's report; the
// shares are those of stage_policy.hpp. Family::Settings has `memory_mb`, of which the stage gets its part;
// Family::EvaluatorSettings holds the stage's settings, as a base class.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/search/findings.hpp"
#include "core/search/native.hpp"
#include "core/search/stage.hpp"
#include "core/search/stage_policy.hpp"

namespace tengen::search {

template <class Family, RootStage<typename Family::Root> Stage>
class StagedSearch final : public AnySearch<Family> {
public:
    using Root = typename Family::Root;
    using Settings = typename Family::Settings;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    static_assert(std::convertible_to<const EvaluatorSettings&, const typename Stage::Settings&>);

    // make(settings): the inner search, with the memory that the stage leaves.
    template <class MakeInner>
    StagedSearch(const Settings& settings, const EvaluatorSettings& evaluator, const MakeInner& make)
        : stage_(kStageMemoryShare * settings.memory_mb),
          inner_(make(without_stage(settings))),
          stage_settings_(evaluator) {}

    bool fits(const Root& root) const override { return inner_->fits(root); }
    void configure(const Settings& settings, const EvaluatorSettings& evaluator) override {
        inner_->configure(without_stage(settings), evaluator);
        const std::lock_guard lock(mutex_);
        stage_settings_ = evaluator;
    }

    void run(const Root& root, const RootFacts& facts, const Bounds& bounds, const StopToken& stop) override {
        const auto start = Clock::now();
        const StagePlan plan = plan_stage(bounds, begin(root, facts), Stage::kRates);
        if (!plan.asks) return inner_->run(root, facts, bounds, stop);
        inner_->run(root, facts, plan.first, stop);
        const Report first = inner_->report(0, false);
        if (stop.is_stopped()) return;
        ask(root, {ordered(root, facts, first), bounds.early_stop, {}, {}}, plan, start, stop);
        if (end(first, plan, start, stop)) return;
        inner_->run(root, facts, rest_of(bounds, seconds_since(start), first.playouts), stop);
    }

    Report report(int max_lines, bool ownership) const override {
        const std::lock_guard lock(mutex_);  // over both parts, so that they are of the same root
        Report out = inner_->report(0, ownership);
        out.seconds += earlier_seconds_;
        out.playouts += earlier_playouts_;
        findings_.lay_over(out);
        if (max_lines && out.lines.size() > static_cast<std::size_t>(max_lines))
            out.lines.resize(static_cast<std::size_t>(max_lines));
        return out;
    }

private:
    using Clock = std::chrono::steady_clock;

    static double seconds_since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    Settings without_stage(Settings settings) const {
        settings.memory_mb = std::max(1.0, settings.memory_mb - stage_.memory_mb());
        return settings;
    }

    // Forget the run before; -> the work that the stage expects.
    double begin(const Root& root, const RootFacts& facts) {
        const std::lock_guard lock(mutex_);
        findings_.clear();
        earlier_playouts_ = 0;
        earlier_seconds_ = 0;
        return Stage::expected_work(root, facts, stage_settings_);
    }

    // The moves that the root may play: those with lines in their order, then the others.
    static std::vector<int> ordered(const Root& root, const RootFacts& facts, const Report& report) {
        std::vector<int> order;
        for (const Line& line : report.lines) order.push_back(line.move);
        std::vector<int> moves(Root::kMaxMoves);
        moves.resize(static_cast<std::size_t>(root.candidate_moves(moves.data())));
        for (const int move : moves)
            if (const int dense = root.to_dense(move);
                std::find(order.begin(), order.end(), dense) == order.end() && facts.permits(dense))
                order.push_back(dense);
        return order;
    }

    void ask(const Root& root, Question question, const StagePlan& plan, Clock::time_point start,
             const StopToken& stop) {
        bool is_proved = false;
        question.is_over = [&](double work) {
            return stop.is_stopped() || plan.is_over(work, seconds_since(start), is_proved);
        };
        question.tell = [&](Found found) {
            is_proved = true;
            const std::lock_guard lock(mutex_);
            findings_.add(std::move(found));
        };
        stage_.ask(root, question);
    }

    // Take the times after the stage; -> whether the run is at its end.
    bool end(const Report& first, const StagePlan& plan, Clock::time_point start, const StopToken& stop) {
        const std::lock_guard lock(mutex_);
        const bool is_done = stop.is_stopped() || (!findings_.is_empty() && plan.is_enough(findings_.best()));
        earlier_seconds_ = seconds_since(start) - (is_done ? first.seconds : 0);
        if (!is_done) earlier_playouts_ = first.playouts;
        return is_done;
    }

    Stage stage_;  // the running thread's own
    std::unique_ptr<AnySearch<Family>> inner_;
    mutable std::mutex mutex_;  // of what follows
    typename Stage::Settings stage_settings_;
    Findings findings_;
    std::uint64_t earlier_playouts_ = 0;  // before the inner search's last run
    double earlier_seconds_ = 0;
};

// The search `Inner` of a position, made of (root, settings, more...), with a stage before it.
template <class Family, class Stage, class Inner, class... More>
std::unique_ptr<AnySearch<Family>> staged(const typename Family::Root& root, const typename Family::Settings& settings,
                                          const typename Family::EvaluatorSettings& evaluator, const More&... more) {
    return std::make_unique<StagedSearch<Family, Stage>>(
        settings, evaluator, [&](const auto& left) { return std::make_unique<Inner>(root, left, evaluator, more...); });
}

}  // namespace tengen::search
