// The search as a whole: root, limits, threads, memory bound; tree reuse is in tree.hpp, reports are in report.hpp. Knows
// no game and no evaluator.
//
// UCT (Kocsis & Szepesvari 2006) with AMAF blended in by the RAVE schedule of Silver (Gelly & Silver 2011), priors as
// virtual visits, one shared tree for all threads (Enzenberger & Mueller 2009), proven results backed up.
#pragma once

#include <chrono>
#include <memory>
#include <random>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "core/mcts/worker.hpp"
#include "core/search/bounds.hpp"
#include "core/search/report.hpp"
#include "core/search/stop.hpp"

namespace tengen::mcts {

using search::StopToken;

template <GameState S, LeafEvaluator<S> E>
class Search {
public:
    Search(const S& state, const Settings& settings, const E& evaluator)
        : shared_(state, AwaitedEvaluator<E> ? static_cast<std::size_t>(settings.memory_mb * 1048576.0) : 0),
          evaluator_(evaluator),
          arena_(static_cast<std::size_t>(settings.memory_mb * 1048576.0), AwaitedEvaluator<E>) {
        if (!std::holds_alternative<typename RuleOf<E>::Settings>(settings.rule))
            throw std::logic_error("the settings are for another rule of choice");
        shared_.settings = settings;
        shared_.arena = &arena_;
        new_root();
    }

    void configure(const Settings& settings, const E& evaluator) {
        const std::lock_guard lock(tree_mutex_);
        shared_.settings = settings;
        evaluator_ = evaluator;
    }

    void run(const S& state, const search::RootFacts& facts, const search::Bounds& bounds, const StopToken& stop) {
        begin(state, facts, bounds, stop);
        while (true) {
            shared_.arena_full.store(false);
            run_threads();
            // With nothing but a depth to reach, a full tree has reached what it can.
            if (done_.load() || stop_.is_stopped() || is_bounded_by_depth_alone()) break;
            const std::lock_guard lock(tree_mutex_);  // here because the arena is full
            make_room();
        }
        end();
    }

    // `run` in steps, for one thread that makes the simulations itself (core/mcts/forest.hpp).

    void begin(const S& state, const search::RootFacts& facts, const search::Bounds& bounds, const StopToken& stop) {
        start_ = Clock::now();
        stop_ = stop;
        {
            const std::lock_guard lock(tree_mutex_);
            move_root(state, facts);
            playouts_.store(0);
            shared_.start_run();
            running_ = true;
            bounds_ = bounds;
        }
        done_.store(false);
    }
    void end() {
        const std::lock_guard lock(tree_mutex_);
        running_ = false;
        frozen_ = false;
        last_seconds_ = seconds();
    }
    // Whether another simulation may start; those whose results are awaited count. However short the time is, one may.
    bool may_start() {
        const std::uint64_t started = playouts_.load(std::memory_order_relaxed);
        if (started > 0 && (stop_.is_stopped() || is_late())) done_.store(true);
        if (bounds_.playouts && started >= bounds_.playouts) return false;
        if (bounds_.visits && root_node().started() >= bounds_.visits) return false;
        return !done_.load();
    }
    // Change something of the tree that reports read.
    template <class Change>
    void change(const Change& what) {
        const std::lock_guard lock(tree_mutex_);
        what();
    }
    // Forget what is known of the root; nothing is in flight.
    void drop() {
        const std::lock_guard lock(tree_mutex_);
        new_root();
        shared_.biases.clear();
    }
    void finish() { done_.store(true); }  // no simulation leads anywhere
    // `more` simulations were started; fewer, when they are taken back.
    void count_started(int more) { playouts_.fetch_add(static_cast<std::uint64_t>(more), std::memory_order_relaxed); }
    // After results were counted: whether they end the run.
    bool look() {
        if (bounds_.early_stop ? is_decided() : is_settled()) done_.store(true);
        if (bounds_.depth && shared_.mean_depth() >= bounds_.depth) done_.store(true);
        return done_.load();
    }
    // Before a simulation: false when the arena is full. Then `make_room_or_end`, as soon as nothing is in flight.
    bool has_room() const { return !shared_.arena_full.load(std::memory_order_relaxed); }
    void make_room_or_end() {
        const std::lock_guard lock(tree_mutex_);
        shared_.arena_full.store(false);
        if (is_bounded_by_depth_alone())
            frozen_ = true;
        else
            make_room();
        if (frozen_) done_.store(true);
    }
    Shared<S>& shared() { return shared_; }
    const Shared<S>& shared() const { return shared_; }
    const Arena& arena() const { return arena_; }
    Arena& arena() { return arena_; }
    Node& root_node() { return arena_.node(shared_.root); }
    const Node& root_node() const { return arena_.node(shared_.root); }

    search::Report report(int max_lines, bool ownership) const;

private:
    using Clock = std::chrono::steady_clock;

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    bool is_late() const { return bounds_.seconds > 0 && seconds() >= bounds_.seconds; }

    std::uint64_t seed_for(std::uint64_t number) {
        std::uint64_t seed = static_cast<std::uint64_t>(shared_.settings.seed);
        if (seed == 0) seed = static_cast<std::uint64_t>(std::random_device{}()) << 32 | std::random_device{}();
        seed ^= number * 0xd1342543de82ef95ULL;
        return splitmix64(seed);
    }

    void run_threads() {
        const int count = static_cast<int>(shared_.settings.threads);
        std::vector<std::thread> helpers;
        for (int i = 1; i < count; ++i) helpers.emplace_back([this, seed = seed_for(++workers_)] { work(seed); });
        work(seed_for(++workers_));
        for (auto& helper : helpers) helper.join();
    }

    void work(std::uint64_t seed) {
        auto worker = std::make_unique<Worker<S, E>>(shared_, evaluator_, seed);
        for (unsigned round = 0; !done_.load(std::memory_order_relaxed); ++round) {
            // However short the time is, one simulation is made, so that there is a move to report.
            if (round > 0 && (stop_.is_stopped() || is_late())) {
                done_.store(true);
                break;
            }
            if (shared_.arena_full.load(std::memory_order_relaxed) && !frozen_) break;
            if (bounds_.playouts && playouts_.fetch_add(1, std::memory_order_relaxed) >= bounds_.playouts) {
                playouts_.fetch_sub(1, std::memory_order_relaxed);
                done_.store(true);
                break;
            }
            if (bounds_.visits && root_node().visits.load(std::memory_order_relaxed) >= bounds_.visits) {
                done_.store(true);
                break;
            }
            worker->simulate();
            if (!bounds_.playouts) playouts_.fetch_add(1, std::memory_order_relaxed);
            if (round % 64 == 63 && (bounds_.early_stop ? is_decided() : is_settled())) done_.store(true);
            if (bounds_.depth && round % 64 == 63 && shared_.mean_depth() >= bounds_.depth) done_.store(true);
        }
        worker->flush();
    }

    bool is_bounded_by_depth_alone() const {
        return bounds_.depth && bounds_.seconds <= 0 && !bounds_.playouts && !bounds_.visits;
    }

    // No other move can catch up with the most visited one within the limits, at the rate so far.
    bool is_decided() const {
        const Node& root = root_node();
        if (!root.has_edges()) return false;
        if (is_settled() || (Adviser<E, S> && permitted() == 1)) return true;
        std::uint32_t best = 0, second = 0;
        for_each_move([&](const Edge&, const Node* node) {
            const std::uint32_t n = node ? node->visits.load(std::memory_order_relaxed) : 0;
            if (n > best)
                second = std::exchange(best, n);
            else
                second = std::max(second, n);
        });
        const double played = static_cast<double>(playouts_.load(std::memory_order_relaxed));
        double left = 1e18;
        if (bounds_.playouts) left = std::min(left, static_cast<double>(bounds_.playouts) - played);
        if (bounds_.visits)
            left = std::min(left, static_cast<double>(bounds_.visits) - root.visits.load(std::memory_order_relaxed));
        if (bounds_.seconds > 0) {
            const double used = seconds();
            if (used < 0.01) return false;
            left = std::min(left, played / used * (bounds_.seconds - used) * 1.1);
        }
        return best - second > left;
    }

    // One move is proved to be as good as any other can be: searching on changes nothing.
    bool is_settled() const {
        if (!root_node().has_edges()) return false;
        int low = -1, high = -1;
        for_each_move([&](const Edge&, const Node* node) {
            const Proof proof = node ? node->proof.load(std::memory_order_relaxed) : Proof();
            low = std::max(low, proof.low());
            high = std::max(high, proof.high());
        });
        return low >= high;
    }

    // The number of moves at the root that may be played.
    int permitted() const {
        int moves = 0;
        for_each_move([&](const Edge&, const Node*) { ++moves; });
        return moves;
    }

    // Call with each move that the root may play, and where it leads if it was visited.
    template <class Visit>
    void for_each_move(const Visit& visit) const {
        const Node& root = root_node();
        const std::uint32_t begin = root.edges.load(std::memory_order_acquire);
        for (std::uint32_t i = begin; i < begin + root.edge_count; ++i) {
            const Edge& edge = arena_.edge(i);
            if (!shared_.excluded[edge.move]) visit(edge, arena_.below(edge));
        }
    }

    void new_root() {
        arena_.clear();
        shared_.root = arena_.new_node();
        workers_ = 0;
    }

    void move_root(const S& state, const search::RootFacts& facts);
    bool lacks_named_moves(const search::RootFacts& facts) const;
    void make_room();
    bool prune();
    std::uint32_t follow(const std::vector<int>& line);
    std::size_t cells_below(const Node& top) const;
    void release_edges(Node& node) {
        const std::uint32_t begin = node.edges.load(std::memory_order_relaxed);
        if (begin <= Node::kExpanding) return;
        node.edges.store(Node::kNoEdges, std::memory_order_relaxed);
        arena_.release_edges(begin, node.edge_count);
    }
    // Edges of a node, best first: won, then by visits, then what cannot be better than something proved.
    std::vector<std::uint32_t> ranked(const Node& node, bool at_root) const;
    bool lead_by_rule(std::vector<std::uint32_t>& order) const;
    void lead_by_bound(std::vector<std::uint32_t>& order) const;
    double lower_bound_of(const Node& node) const;
    double errors_of_bound() const;
    double lower_utility_of(const PuctSettings& puct, const Node& node, double decided) const;
    std::optional<search::FinalScore> final_score_of(const Node& node, float sign) const;
    std::vector<int> best_line(std::uint32_t edge) const;

    Shared<S> shared_;
    E evaluator_;
    StopToken stop_;  // of the present run
    Arena arena_;
    search::Bounds bounds_;
    Clock::time_point start_ = Clock::now();
    double last_seconds_ = 0;
    double room_seconds_ = 0.002;  // what making room in the arena took lately
    bool running_ = false;
    std::atomic<bool> frozen_{false};  // the arena is full and pruning frees nothing: search on without expanding
    std::atomic<bool> done_{false};
    std::atomic<std::uint64_t> playouts_{0};
    std::uint64_t workers_ = 0;
    mutable std::shared_mutex tree_mutex_;  // held by whoever restructures or walks the tree outside the workers
};

}  // namespace tengen::mcts
