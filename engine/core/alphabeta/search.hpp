// The search as a whole: root, threads, report. Knows no game.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/alphabeta/worker.hpp"
#include "core/search/native.hpp"

namespace tengen::alphabeta {

// P is made of (Root, what it keeps from run to run).
template <class Family, Position P>
class SearchOf final : public search::AnySearch<Family> {
public:
    using Root = typename Family::Root;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    SearchOf(const Settings& settings, const EvaluatorSettings& evaluator)
        : evaluator_(evaluator), kept_(evaluator), run_(settings, bytes_of(kept_)) {}

    bool fits(const Root& root) const override {
        if constexpr (requires { P::fits(root); }) return P::fits(root);
        return true;
    }
    void configure(const Settings& settings, const EvaluatorSettings& evaluator) override {
        const std::lock_guard lock(mutex_);
        settings_wanted_ = settings;
        is_evaluator_changed_ |= !(evaluator_ == evaluator);
        evaluator_ = evaluator;
        is_changed_ = true;  // from the next run on
    }

    void run(const Root& root, const search::RootFacts& facts, const search::Bounds& bounds,
             const search::StopToken& stop) override {
        const P position = begin(root, facts, bounds, stop);
        std::vector<RootMove> moves = permitted(position, facts);
        if (!moves.empty() && !position.is_terminal()) run_threads(position, moves);
        const std::lock_guard lock(mutex_);
        is_running_ = false;
        seconds_ = run_.seconds();
    }

    search::Report report(int max_lines, bool) const override {
        const std::lock_guard lock(mutex_);
        search::Report out;
        out.to_move = to_move_;
        out.visits = out.playouts = out.nodes = run_.nodes();
        out.seconds = is_running_ ? run_.seconds() : seconds_;
        out.hashfull = run_.table.fullness();
        out.probes = run_.probes();
        for (const RootMove& found : found_) {
            if (found.pv.empty() || (max_lines && static_cast<int>(out.lines.size()) >= max_lines)) continue;
            out.lines.push_back(line_of(found));
        }
        if (!out.lines.empty()) {
            out.win = out.lines[0].win;
            out.draw = out.lines[0].draw;
            out.score = out.lines[0].score;
        }
        return out;
    }

private:
    using Kept = typename KeptFor<P, EvaluatorSettings>::Type;

    static std::size_t bytes_of(const Kept& kept) {
        if constexpr (requires { kept.bytes(); }) return kept.bytes();
        return 0;
    }

    P begin(const Root& root, const search::RootFacts& facts, const search::Bounds& bounds,
            const search::StopToken& stop) {
        const std::lock_guard lock(mutex_);
        if (std::exchange(is_changed_, false)) {
            run_.configure(settings_wanted_);
            histories_.clear();
        }
        if (std::exchange(is_evaluator_changed_, false)) kept_ = Kept(evaluator_);
        run_.begin(facts, bounds, stop);
        P position(root, kept_);
        to_move_ = position.to_move();
        found_.clear();
        is_running_ = true;
        return position;
    }

    // The moves of the root that may be played.
    std::vector<RootMove> permitted(const P& position, const search::RootFacts& facts) const {
        std::vector<int> moves(P::kMaxMoves);
        std::vector<RootMove> out;
        const auto take = [&](int count) {
            for (const int move : std::span(moves).first(static_cast<std::size_t>(count)))
                if (facts.permits(position.to_dense(move))) out.emplace_back().move = move;
        };
        take(position.moves(moves.data()));
        if constexpr (HasOtherMoves<P>)
            if (out.empty()) take(position.all_moves(moves.data()));
        return out;
    }

    void run_threads(const P& position, const std::vector<RootMove>& moves) {
        while (std::ssize(histories_) < static_cast<std::ptrdiff_t>(run_.settings.threads))
            histories_.push_back(std::make_unique<Histories<P>>(run_.settings.tuning));
        for (const auto& histories : histories_) histories->begin();
        std::vector<std::thread> helpers;
        bool is_first = true;
        const auto begin_all = [&] {
            is_first = false;
            run_.make_room();
            for (int i = 1; i < static_cast<int>(run_.settings.threads); ++i)
                helpers.emplace_back([this, &position, &moves, i] {
                    Histories<P>& histories = *histories_[static_cast<std::size_t>(i)];
                    auto worker = std::make_unique<Worker<P>>(run_, position, moves, histories);
                    worker->deepen(1 + i % 2, [](const auto&) {});
                });
        };
        if constexpr (KnowsEnd<P>) begin_all();  // the first step may be the whole search
        auto worker = std::make_unique<Worker<P>>(run_, position, moves, *histories_[0]);
        worker->deepen(1, [&](const std::vector<RootMove>& found) {
            tell(position, found);
            if (is_first && !run_.is_over()) begin_all();
        });
        run_.end();
        for (auto& helper : helpers) helper.join();
    }

    // Keeps the lines that were searched; their moves as dense ones.
    void tell(const P& position, const std::vector<RootMove>& found) {
        std::vector<RootMove> lines(
            found.begin(), found.begin() + std::min<std::ptrdiff_t>(std::ssize(found),
                                                                    static_cast<std::ptrdiff_t>(run_.settings.lines)));
        for (RootMove& line : lines) {
            P view = position;
            for (int& move : line.pv) {
                typename P::Undo undo;
                const int native = move;
                move = view.to_dense(native);
                view.play(native, undo);
            }
        }
        const std::lock_guard lock(mutex_);
        found_ = std::move(lines);
    }

    static search::Line line_of(const RootMove& found) {
        search::Line line;
        line.move = found.pv.front();
        line.pv = found.pv;
        line.visits = found.nodes;
        line.depth = found.depth;
        line.seldepth = found.seldepth;
        line.score = P::score_shown(found.score);
        line.win = P::win_rate(found.score);
        if constexpr (KnowsDraws<P>) line.draw = P::draw_rate(found.score);
        const bool is_known = found.is_exact || (!CountsMargin<P> && counts_plies(found.score));
        if (is_known) {
            line.is_proved = true;
            if (!CountsMargin<P> && counts_plies(found.score)) line.plies_to_end = kWin - std::abs(found.score);
            line.proof = (found.score > 0) - (found.score < 0);
            line.win = 0.5 + 0.5 * line.proof;
            line.draw = line.proof == 0;
            line.bound = search::Bound::exact;
        }
        line.lcb = line.win;
        return line;
    }

    EvaluatorSettings evaluator_;
    Kept kept_;
    Run run_;
    std::vector<std::unique_ptr<Histories<P>>> histories_;  // by each thread
    mutable std::mutex mutex_;                              // of what follows, and of the evaluator's settings
    Settings settings_wanted_;
    std::vector<RootMove> found_;
    int to_move_ = 0;
    double seconds_ = 0;
    bool is_running_ = false, is_changed_ = false, is_evaluator_changed_ = false;
};

}  // namespace tengen::alphabeta
