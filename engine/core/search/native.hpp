// A game's searches behind one face: the evaluator is chosen by name, the template by the position.
//
// A Family says, for one game: `Root` (the bound state type), its evaluators by name, the settings of its searches and
// of its evaluators, the defaults of each name, and how to make the search that fits a position:
//
//   struct Family {
//       using Root = ...;
//       using Settings = ...;           // list(out), set(name, value), fits(other): see core/mcts/settings.hpp
//       using EvaluatorSettings = ...;  // what options() names, and `std::shared_ptr<const Weights> weights` if any reads them
//       static std::span<const Option<EvaluatorSettings>> options();
//       static std::span<const EvaluatorFacts> evaluators();
//       static void defaults(const std::string& evaluator, Settings&);   // of a name that `evaluators` has
//       static std::unique_ptr<AnySearch<Family>> make(const std::string& evaluator, const Root&, const Settings&,
//                                                      const EvaluatorSettings&);
//       // Optional: throws std::invalid_argument unless the evaluator can read the weights in its settings, which may
//       // keep what it made of them.
//       static void check_weights(const std::string& evaluator, EvaluatorSettings&);
//       // Optional: about how many seconds solve the position, 0: it is not for these settings to solve.
//       static double seconds_to_solve(const std::string& evaluator, const EvaluatorSettings&, const Root&);
//   };
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/evaluator_facts.hpp"
#include "core/search/bounds.hpp"
#include "core/search/options.hpp"
#include "core/search/report.hpp"
#include "core/search/root_facts.hpp"
#include "core/search/stop.hpp"

namespace tengen::search {

template <class Family>
class AnySearch {
public:
    using Root = typename Family::Root;
    using Settings = typename Family::Settings;
    using EvaluatorSettings = typename Family::EvaluatorSettings;
    virtual ~AnySearch() = default;
    virtual bool fits(const Root& root) const = 0;  // whether this very search can take the position
    virtual void configure(const Settings& settings, const EvaluatorSettings& evaluator) = 0;
    virtual void run(const Root& root, const RootFacts& facts, const Bounds& bounds, const StopToken& stop) = 0;
    virtual Report report(int max_lines, bool ownership) const = 0;
};

// The search that Python holds: settings that outlive positions, and the search of the present board size.
template <class Family>
class NativeSearch {
public:
    using Root = typename Family::Root;
    using Settings = typename Family::Settings;
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
        settings_.list(out);
        append_options<typename Family::EvaluatorSettings>(evaluator_settings_, Family::options(), out);
        return out;
    }
    // Throws std::invalid_argument for an unknown name or a value that does not fit.
    void set(const std::string& name, const OptionValue& value) {
        const std::lock_guard lock(mutex_);
        const Settings before = settings_;
        if (!settings_.set(name, value) &&
            !set_option<typename Family::EvaluatorSettings>(evaluator_settings_, Family::options(), name, value))
            throw std::invalid_argument("unknown option " + name);
        if (!search_) return;
        if (!settings_.fits(before))
            search_.reset();
        else
            search_->configure(settings_, evaluator_settings_);
    }

    // Where the evaluator's settings have `tablebases`: endgame tables to ask inside the search, null: none.
    template <class Tablebases>
    void use_tablebases(std::shared_ptr<const Tablebases> tablebases) {
        const std::lock_guard lock(mutex_);
        evaluator_settings_.tablebases = std::move(tablebases);
        if (search_) search_->configure(settings_, evaluator_settings_);
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        search_.reset();
    }
    void run(const Root& root, const RootFacts& facts, const Bounds& bounds, const StopToken& stop) {
        std::shared_ptr<AnySearch<Family>> search;
        {
            const std::lock_guard lock(mutex_);
            if (!search_ || !search_->fits(root)) {
                search_.reset();  // first, so that two arenas never coexist
                search_ = Family::make(evaluator_, root, settings_, evaluator_settings_);
            }
            search = search_;
        }
        search->run(root, facts, bounds, stop);
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
    std::shared_ptr<AnySearch<Family>> search_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::search
