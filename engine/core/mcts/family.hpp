// A game's searches behind one face: the evaluator is chosen by name, the template by the position.
//
// A Family says, for one game: `Root` (the bound state type), its evaluators by name, the settings of these with a
// static option table, the defaults of each name, and how to make the search that fits a position:
//
//   struct Family {
//       using Root = ...;
//       using EvaluatorSettings = ...;  // doubles, and `std::shared_ptr<const Weights> weights` if any reads them
//       static std::span<const Option<EvaluatorSettings>> options();
//       static std::span<const EvaluatorFacts> evaluators();
//       static void defaults(const std::string& evaluator, Settings&);   // of a name that `evaluators` has
//       static std::unique_ptr<AnySearch<Family>> make(const std::string& evaluator, const Root&, const Settings&,
//                                                      const EvaluatorSettings&, std::atomic<bool>& stop);
//       // Optional: throws std::invalid_argument unless the evaluator can read the weights in its settings.
//       static void check_weights(const std::string& evaluator, const EvaluatorSettings&);
//       // Optional: about how many seconds solve the position, 0: it is not for these settings to solve.
//       static double seconds_to_solve(const std::string& evaluator, const EvaluatorSettings&, const Root&);
//   };
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "core/evaluator_facts.hpp"
#include "core/mcts/search.hpp"

namespace tengen::mcts {

template <class Family>
class AnySearch {
public:
    using Root = typename Family::Root;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    virtual ~AnySearch() = default;
    virtual bool fits(const Root& root) const = 0;  // whether this very search can take the position
    virtual void configure(const Settings& settings, const EvaluatorSettings& evaluator) = 0;
    virtual void run(const Root& root, const RootFacts& facts, const Bounds& bounds) = 0;
    virtual Report report(int max_lines, bool ownership) const = 0;
};

// Search<S, E> as an AnySearch. S is constructible from Root; E from EvaluatorSettings.
template <class Family, class S, class E>
class SearchOf final : public AnySearch<Family> {
public:
    using Root = typename Family::Root;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    SearchOf(const Root& root, const Settings& settings, const EvaluatorSettings& evaluator, std::atomic<bool>& stop)
        : search_(S(root), settings, E(evaluator), stop), width_(root.width()), height_(root.height()) {}
    bool fits(const Root& root) const override { return root.width() == width_ && root.height() == height_; }
    void configure(const Settings& settings, const EvaluatorSettings& evaluator) override {
        search_.configure(settings, E(evaluator));
    }
    void run(const Root& root, const RootFacts& facts, const Bounds& bounds) override {
        search_.run(S(root), facts, bounds);
    }
    Report report(int max_lines, bool ownership) const override { return search_.report(max_lines, ownership); }

private:
    Search<S, E> search_;
    int width_, height_;
};

// What Python holds: settings that outlive positions, the stop flag, and the search of the present board size.
template <class Family>
class NativeSearch {
public:
    using Root = typename Family::Root;
    // Throws std::invalid_argument for an evaluator that the game lacks, or weights that are not its own.
    explicit NativeSearch(std::string evaluator, std::shared_ptr<const Weights> weights = nullptr)
        : evaluator_(std::move(evaluator)) {
        give_weights(find_evaluator(Family::evaluators(), evaluator_), evaluator_settings_, std::move(weights));
        if constexpr (requires { Family::check_weights(evaluator_, evaluator_settings_); })
            Family::check_weights(evaluator_, evaluator_settings_);
        Family::defaults(evaluator_, settings_);
    }

    std::vector<OptionView> options() const {
        const std::lock_guard lock(mutex_);
        std::vector<OptionView> out;
        append_options<Settings>(settings_, kSettings, out);
        append_options<typename Family::EvaluatorSettings>(evaluator_settings_, Family::options(), out);
        return out;
    }
    // Throws std::invalid_argument for an unknown name or a value out of range.
    void set(const std::string& name, double value) {
        const std::lock_guard lock(mutex_);
        const double memory = settings_.memory_mb;
        if (!set_option<Settings>(settings_, kSettings, name, value) &&
            !set_option<typename Family::EvaluatorSettings>(evaluator_settings_, Family::options(), name, value))
            throw std::invalid_argument("unknown option " + name);
        if (!search_) return;
        if (settings_.memory_mb != memory)
            search_.reset();  // the arena is sized once
        else
            search_->configure(settings_, evaluator_settings_);
    }

    void prepare() { stop_.store(false); }
    void stop() { stop_.store(true); }
    void clear() {
        const std::lock_guard lock(mutex_);
        search_.reset();
    }
    void run(const Root& root, const RootFacts& facts, const Bounds& bounds) {
        std::shared_ptr<AnySearch<Family>> search;
        {
            const std::lock_guard lock(mutex_);
            if (!search_ || !search_->fits(root)) {
                search_.reset();  // first, so that two arenas never coexist
                search_ = Family::make(evaluator_, root, settings_, evaluator_settings_, stop_);
            }
            search = search_;
        }
        search->run(root, facts, bounds);
    }
    double seconds_to_solve(const Root& root) const {
        const std::lock_guard lock(mutex_);
        if constexpr (requires { Family::seconds_to_solve(evaluator_, evaluator_settings_, root); })
            return Family::seconds_to_solve(evaluator_, evaluator_settings_, root);
        else
            return 0;
    }
    Report report(int max_lines, bool ownership) const {
        const auto search = current();
        return search ? search->report(max_lines, ownership) : Report{};
    }

private:
    std::shared_ptr<AnySearch<Family>> current() const {
        const std::lock_guard lock(mutex_);
        return search_;
    }

    std::string evaluator_;
    Settings settings_;
    typename Family::EvaluatorSettings evaluator_settings_;
    std::atomic<bool> stop_{false};
    std::shared_ptr<AnySearch<Family>> search_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::mcts
