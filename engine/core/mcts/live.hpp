// The tree of a live game whose leaves are answered in batches from outside, behind one face for every capacity of a
// game's positions, and what Python holds: its settings outlive positions.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/encoders.hpp"
#include "core/mcts/forest.hpp"
#include "core/search/options.hpp"

namespace tengen::mcts {

struct LiveSettings : PuctSettings, InsightSettings {
    LiveSettings()
        : PuctSettings{.c = 0.5,
                       .c_log = 0.225,
                       .fpu_reduction = 0.1,
                       .root_fpu_reduction = 0.05,
                       .fpu_by_policy = 1,
                       .score_utility = 0.29,
                       .lcb = 5,
                       .virtual_loss = 0} {}
    double symmetries = 1;
    double memory_mb = 256;
    double cache_mb = 64;
    double seed = 0;
};

inline constexpr Option<LiveSettings> kLiveOptions[] = {
    {"symmetries", &LiveSettings::symmetries, 0, 1, "see each position through a symmetry of its own", Kind::check},
    {"memory_mb", &LiveSettings::memory_mb, 1, 1048576, "bound of the tree in megabytes; set before the first run"},
    {"cache_mb", &LiveSettings::cache_mb, 0, 1048576, "megabytes of answers kept for positions that come again"},
    {"seed", &LiveSettings::seed, 0, 9007199254740992.0, "0: different every time", Kind::whole},
};

// The starting point of a run.
template <class Root>
struct Question {
    Root root;
    std::vector<Root> earlier;  // positions before the last moves, newest last
    search::RootFacts facts;
    search::Bounds bounds;
    search::StopToken stop;
};

// Told: what a game's networks may be told beside positions.
template <class Root, class Told>
class AnyTree {
public:
    virtual ~AnyTree() = default;
    virtual bool fits(const Root& root) const = 0;
    virtual void configure(const LiveSettings& settings, const Told& told) = 0;
    virtual void begin(const Question<Root>& question) = 0;
    // The number of leaves that were encoded; is_root, sides: of each, where they are not null, whether it is the root,
    // and who is to move.
    virtual std::size_t collect(std::size_t room, float* planes, float* globals, bool* is_root,
                                std::uint8_t* sides) = 0;
    virtual std::size_t oldest() const = 0;  // leaves of the batch whose answer is due next, 0: none is
    virtual void deliver(std::span<const Answer> answers) = 0;
    virtual void cancel() = 0;  // whatever is in flight is taken back
    virtual bool is_over() = 0;
    virtual std::uint32_t visits() const = 0;
    virtual std::vector<std::pair<int, double>> target() const = 0;  // Forest::target; nothing may be in flight
    virtual std::uint64_t cached() const = 0;                        // answers that came from the cache, of all runs
    virtual void end() = 0;
    virtual search::Report report(int max_lines, bool ownership) const = 0;
    virtual Study& study() = 0;
    virtual std::vector<std::uint32_t> visits_along(const std::vector<int>& line) const = 0;  // dense moves
};

// `fixed`: what the encoder knows from the start, where its facts are not what it is told. `insight`: see
// Forest::inform.
template <class Root, class Told, class S, class F>
class TreeOf final : public AnyTree<Root, Told> {
public:
    using Facts = typename FactsOf<F>::type;
    TreeOf(const Root& root, const LiveSettings& settings, const Told& told, const Facts& fixed = {},
           std::unique_ptr<Insight<S>> insight = nullptr)
        : seed_(static_cast<std::uint64_t>(std::random_device{}())),
          fixed_(fixed),
          forest_(std::vector<S>{S(root)}, {}, of_tree(settings),
                  static_cast<std::size_t>(settings.memory_mb * 1048576.0), view(settings, told)),
          width_(root.width()),
          height_(root.height()) {
        if (insight) insight->configure(settings);
        forest_.inform(0, std::move(insight));
    }

    bool fits(const Root& root) const override { return root.width() == width_ && root.height() == height_; }
    void configure(const LiveSettings& settings, const Told& told) override {
        forest_.configure(0, of_tree(settings), view(settings, told));
        if (Insight<S>* insight = forest_.insight(0)) insight->configure(settings);
    }
    void begin(const Question<Root>& question) override {
        std::vector<S> earlier;
        for (const Root& position : question.earlier) earlier.emplace_back(position);
        forest_.begin(0, S(question.root), earlier, question.facts, question.bounds, question.stop);
    }
    std::size_t collect(std::size_t room, float* planes, float* globals, bool* is_root, std::uint8_t* sides) override {
        auto batch = forest_.collect(room, {planes, globals});
        for (std::size_t i = 0; is_root && i < batch.size(); ++i) is_root[i] = batch[i].leaf->depth == 0;
        for (std::size_t i = 0; sides && i < batch.size(); ++i)
            sides[i] = static_cast<std::uint8_t>(batch[i].leaf->state.to_move());
        const std::size_t count = batch.size();
        if (count) waiting_.push_back(std::move(batch));
        return count;
    }
    std::size_t oldest() const override { return waiting_.empty() ? 0 : waiting_.front().size(); }
    void deliver(std::span<const Answer> answers) override {
        forest_.deliver(waiting_.front(), answers);
        waiting_.pop_front();
    }
    void cancel() override {
        for (const auto& batch : waiting_) forest_.cancel(batch);
        waiting_.clear();
    }
    bool is_over() override { return forest_.is_over(0); }
    std::uint32_t visits() const override { return forest_.root(0).visits.load(std::memory_order_relaxed); }
    std::vector<std::pair<int, double>> target() const override { return forest_.target(0); }
    std::uint64_t cached() const override { return forest_.counts(0).cached; }
    void end() override {
        cancel();
        forest_.end(0);
    }
    search::Report report(int max_lines, bool ownership) const override {
        return forest_.report(0, max_lines, ownership);
    }

    Study& study() override { return forest_.study(0); }
    std::vector<std::uint32_t> visits_along(const std::vector<int>& line) const override {
        std::vector<int> native;
        for (const int dense : line) native.push_back(forest_.state(0).from_dense(dense));
        return mcts::visits_along(forest_.arena(0), forest_.root(0), native);
    }

private:
    static Settings of_tree(const LiveSettings& settings) {
        Settings out;
        out.rule = static_cast<const PuctSettings&>(settings);
        out.memory_mb = settings.memory_mb;
        return out;
    }
    Facts facts_of(const Told& told) const {
        if constexpr (std::is_same_v<Facts, Told>)
            return told;
        else
            return fixed_;
    }
    typename Forest<S, F>::View view(const LiveSettings& settings, const Told& told) const {
        std::uint64_t seed = settings.seed > 0 ? static_cast<std::uint64_t>(settings.seed) : seed_;
        return {settings.symmetries != 0, splitmix64(seed), facts_of(told),
                static_cast<std::size_t>(settings.cache_mb * 1048576.0)};
    }

    std::uint64_t seed_;  // where the settings have none
    Facts fixed_;
    Forest<S, F> forest_;
    int width_, height_;
    std::deque<typename Forest<S, F>::Batch> waiting_;  // oldest first
};

// No insight into the positions of a game.
struct NoInsight {
    template <class S>
    std::unique_ptr<Insight<S>> operator()(const S&) const {
        return nullptr;
    }
};

// A tree at the capacity that fits, by one of the sets that a game lists. `insight_of(state)`: what the game knows for
// certain.
template <class Sets, class Told, class InsightOf = NoInsight>
std::shared_ptr<AnyTree<typename Sets::Root, Told>> make_tree(const typename Sets::Root& root,
                                                              const LiveSettings& settings, const Told& told,
                                                              const FeatureSet& set, const InsightOf& insight_of = {}) {
    using Root = typename Sets::Root;
    return Sets::on_smallest(root, [&]<class S>(const S& small) -> std::shared_ptr<AnyTree<Root, Told>> {
        return std::make_shared<TreeOf<Root, Told, S, Chosen<S>>>(
            root, settings, told, find_encoder(Sets::encoders(small), set.name), insight_of(small));
    });
}

// The facts that LiveTree needs of a game whose networks get no facts besides positions. A game instantiates it in a
// file of its own (`extern template`), since trees take long to compile.
template <class GameSets>
struct PlainGame {
    using Root = typename GameSets::Root;
    using Told = NoFacts;
    static std::vector<const FeatureSet*> sets() { return sets_of<GameSets>(); }
    static std::shared_ptr<AnyTree<Root, Told>> make(const Root& root, const LiveSettings& settings, const Told& told,
                                                     const FeatureSet& set) {
        return make_tree<GameSets, Told>(root, settings, told, set);
    }
};

// Game says what it is of: Root, Told, `sets()`, the first of them being the default, and `make(root, settings, told,
// set)`, the tree at the capacity that fits; `kReads` where its trees have an Insight. One thread drives it, `report` may
// come from any.
template <class Game>
class LiveTree {
public:
    using Root = typename Game::Root;
    using Told = typename Game::Told;
    using Tree = AnyTree<Root, Told>;

    const FeatureSet& features() const {
        const std::lock_guard lock(mutex_);
        return *set_;
    }
    // Set the feature set of its networks; the tree is forgotten when that is another. Throws std::invalid_argument for
    // a set that the game has not.
    void see_by(const std::string& features) {
        const std::lock_guard lock(mutex_);
        for (const FeatureSet* set : Game::sets())
            if (set->name == features) {
                if (set != set_) tree_.reset();
                set_ = set;
                return;
            }
        throw std::invalid_argument("unknown feature set");
    }

    std::vector<OptionView> options() const {
        const std::lock_guard lock(mutex_);
        std::vector<OptionView> out;
        append_options<PuctSettings>(settings_, kPuctOptions, out);
        append_options<PuctSettings>(settings_, kSpreadOptions, out);
        append_options<RootSettings>(settings_, kRootOptions, out);
        append_options<LiveSettings>(settings_, kLiveOptions, out);
        if constexpr (kReads) append_options<InsightSettings>(settings_, kInsightOptions, out);
        return out;
    }
    // Throws std::invalid_argument for an unknown name or a value out of range.
    void set(const std::string& name, double value) {
        const std::lock_guard lock(mutex_);
        const double memory = settings_.memory_mb;
        if (!set_option<PuctSettings>(settings_, kPuctOptions, name, value) &&
            !set_option<PuctSettings>(settings_, kSpreadOptions, name, value) &&
            !set_option<RootSettings>(settings_, kRootOptions, name, value) &&
            !set_option<LiveSettings>(settings_, kLiveOptions, name, value) &&
            !(kReads && set_option<InsightSettings>(settings_, kInsightOptions, name, value)))
            throw std::invalid_argument("unknown option " + name);
        if (memory != settings_.memory_mb) tree_.reset();
        if (tree_) tree_->configure(settings_, told_);
    }
    void tell(const Told& told) {
        const std::lock_guard lock(mutex_);
        told_ = told;
        if (tree_) tree_->configure(settings_, told_);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        tree_.reset();
    }
    void begin(const Question<Root>& question) {
        const std::lock_guard lock(mutex_);
        if (!tree_ || !tree_->fits(question.root)) {
            tree_.reset();  // first, so that two arenas never coexist
            tree_ = Game::make(question.root, settings_, told_, *set_);
        }
        Question<Root> held = question;
        held.facts.until = until_;
        tree_->begin(held);
    }
    // Set the dense moves that a player may not play before a ply of a search (RootFacts::until), from the next run on.
    void hold_back(int player, std::vector<int> plies) {
        const std::lock_guard lock(mutex_);
        until_[static_cast<std::size_t>(player)] = std::move(plies);
    }
    // The tree that was begun. Throws std::logic_error when none was.
    std::shared_ptr<Tree> tree() const {
        auto found = current();
        if (!found) throw std::logic_error("no search was begun");
        return found;
    }
    search::Report report(int max_lines, bool ownership) const {
        const auto found = current();
        return found ? found->report(max_lines, ownership) : search::Report{};
    }

private:
    static constexpr bool kReads = requires { Game::kReads; };

    std::shared_ptr<Tree> current() const {
        const std::lock_guard lock(mutex_);
        return tree_;
    }

    LiveSettings settings_;
    const FeatureSet* set_ = Game::sets().front();
    Told told_{};
    std::array<std::vector<int>, 2> until_;
    std::shared_ptr<Tree> tree_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::mcts
