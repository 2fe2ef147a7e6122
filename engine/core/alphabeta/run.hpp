// What all threads of one run share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/alphabeta/settings.hpp"
#include "core/alphabeta/table.hpp"
#include "core/search/bounds.hpp"
#include "core/search/root_facts.hpp"
#include "core/search/stop.hpp"

namespace tengen::alphabeta {

// A move of the root and what is known of it.
struct RootMove {
    int move = -1;  // native
    std::vector<int> pv;
    Score score = -kInfinite;
    int depth = 0, seldepth = 0;
    std::uint64_t nodes = 0;
    bool is_exact = false;  // the score is the true one
};

class Run {
public:
    using Clock = std::chrono::steady_clock;

    // less: bytes of the settings' memory that others use; the table has a quarter of it in any case.
    Run(const Settings& settings, std::size_t less)
        : table(static_cast<std::size_t>(
              settings.memory_mb * kMegabyte -
              std::min(static_cast<double>(less), kMostUsed * settings.memory_mb * kMegabyte))),
          settings(settings),
          lookups(settings.tuning) {
        table.set_replacement(settings.tuning.table_keep, settings.tuning.table_age);
    }

    // Settings for the next runs; what is known of positions is forgotten, which may be worth something else now.
    void configure(const Settings& wanted) {
        settings = wanted;
        lookups = Lookups(wanted.tuning);
        table.set_replacement(wanted.tuning.table_keep, wanted.tuning.table_age);
        table.clear();
    }

    void begin(const search::RootFacts& new_facts, const search::Bounds& new_bounds,
               const search::StopToken& new_stop) {
        start_ = Clock::now();
        facts = new_facts;
        std::sort(facts.seen.begin(), facts.seen.end());
        bounds = new_bounds;
        stop_ = new_stop;
        nodes_.store(0);
        probes_.store(0);
        over_.store(false);
        table.next_age();
    }
    // For the steps after the first: the system clears large pages when they are touched first, and the first step has to
    // come to its end before a stop is obeyed.
    void make_room() { table.make_room(most_entries()); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    std::uint64_t most_nodes() const { return bounds.playouts ? bounds.playouts : bounds.visits; }  // 0: no bound

    // How many positions it may look at, at the most: what it knows of them should have room.
    std::uint64_t most_entries() const {
        std::uint64_t out = most_nodes() ? most_nodes() : std::numeric_limits<std::uint64_t>::max();
        if (bounds.seconds > 0) {
            const double nodes = bounds.seconds * settings.threads * kNodesASecond;
            if (nodes < static_cast<double>(out)) out = static_cast<std::uint64_t>(nodes);
        }
        return out;
    }

    void end() { over_.store(true, std::memory_order_relaxed); }
    bool is_over() const { return over_.load(std::memory_order_relaxed); }
    // Takes more nodes; whether the run has to end.
    bool count(std::uint64_t more) {
        const std::uint64_t all = nodes_.fetch_add(more, std::memory_order_relaxed) + more;
        if ((most_nodes() && all >= most_nodes()) || stop_.is_stopped() ||
            (bounds.seconds > 0 && seconds() >= bounds.seconds))
            end();
        return is_over();
    }
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    // Endgame tables were asked with an answer (ProbesTables).
    void count_probe() { probes_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t probes() const { return probes_.load(std::memory_order_relaxed); }
    bool is_stopped() const { return stop_.is_stopped(); }

    Table table;
    Settings settings;
    Lookups lookups;
    search::RootFacts facts;
    search::Bounds bounds;

private:
    static constexpr double kMegabyte = 1 << 20, kMostUsed = 0.75;  // bytes; the share of memory that others may take
    static constexpr double kNodesASecond = 1e7;                    // of one thread: no less than any game's

    Clock::time_point start_ = Clock::now();
    search::StopToken stop_;
    std::atomic<bool> over_{false};
    std::atomic<std::uint64_t> nodes_{0}, probes_{0};
};

}  // namespace tengen::alphabeta
