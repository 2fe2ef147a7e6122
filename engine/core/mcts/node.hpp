// A node of the search tree and the arena its children live in.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tengen::mcts {

// Values are for the player who moved into the node. Counters are relaxed atomics: searches of several threads
// may lose an AMAF update, never a visit.
struct Node {
    static constexpr std::uint32_t kNoChildren = 0, kExpanding = 1;  // of `children`; otherwise an arena index
    static constexpr double kUnit = 1 << 20;                         // fixed point of `value`

    std::atomic<std::int64_t> value;    // sum of results in 0..1, in units of 1 / kUnit
    std::atomic<std::uint32_t> visits;  // counted on the way down: also the virtual loss
    std::atomic<std::uint32_t> amaf_visits;
    std::atomic<float> amaf_value;
    std::atomic<float> margin;  // running mean of the final margin, + = player 0
    float prior_value, prior_visits;
    std::atomic<std::uint32_t> children;
    std::uint16_t move, child_count;
    std::atomic<std::int8_t> proof;  // 1: who moved here has won, -1: has lost, 0: unknown
    bool excluded;                   // at the root: may not be chosen
    bool complete;                   // the children leave out no move that could be better

    void reset(int native_move, float wins, float weight) {
        value.store(0, std::memory_order_relaxed);
        visits.store(0, std::memory_order_relaxed);
        amaf_visits.store(0, std::memory_order_relaxed);
        amaf_value.store(0, std::memory_order_relaxed);
        margin.store(0, std::memory_order_relaxed);
        prior_value = wins;
        prior_visits = weight;
        children.store(kNoChildren, std::memory_order_relaxed);
        move = static_cast<std::uint16_t>(native_move);
        child_count = 0;
        proof.store(0, std::memory_order_relaxed);
        excluded = false;
        complete = false;
    }
    void copy_from(const Node& other);
    double mean() const {  // of `value`; 0.5 before the first visit
        const std::uint32_t n = visits.load(std::memory_order_relaxed);
        return n ? static_cast<double>(value.load(std::memory_order_relaxed)) / kUnit / n : 0.5;
    }
    bool has_children() const { return children.load(std::memory_order_acquire) > kExpanding; }
};

// A budgeted store of child blocks. Memory is reserved at once and touched as it is used; where the system refuses it,
// the budget shrinks to what leaves some room for others. Throws std::bad_alloc when not even kLeast nodes fit. Freed subtrees are taken
// apart lazily, one block an allocation, so that dropping a tree of any size costs nothing at that moment.
class Arena {
public:
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    Node& operator[](std::uint32_t index) { return nodes_[index]; }
    const Node& operator[](std::uint32_t index) const { return nodes_[index]; }
    // Index of `count` adjacent nodes, not reset; 0 when the budget is spent. Thread-safe.
    std::uint32_t allocate(int count);
    // Give a block back with everything below it.
    void release(std::uint32_t index, int count);
    void clear();
    // Join adjacent free blocks, which splitting has scattered; the rest waits when `stop` is set meanwhile. No other
    // thread may use the arena.
    void defragment(const std::atomic<bool>& stop);
    std::size_t capacity() const { return capacity_; }
    std::size_t used() const;  // nodes handed out and not yet known to be free

private:
    struct Block {
        std::uint32_t index;
        std::uint32_t count;
    };
    void reserve();
    void dismantle_one();
    void add_free(Block block);
    std::uint32_t take_exact(std::size_t count);
    std::uint32_t take_large(std::size_t count);
    std::uint32_t take_split(std::size_t count);
    static constexpr std::size_t kLeast = 4096, kRoom = 32u << 20;  // nodes; bytes left to others in a refused budget
    static constexpr std::size_t kLarge = 1024;    // blocks of this many nodes are cut from the front
    static constexpr int kDismantledAtOnce = 256;  // blocks one allocation takes apart at most

    Node* nodes_ = nullptr;
    std::size_t capacity_;
    std::size_t top_ = 2, free_ = 0;                               // 0 and 1 are Node::kNoChildren and kExpanding
    std::vector<std::vector<std::uint32_t>> free_blocks_{kLarge};  // by count, below kLarge
    std::vector<Block> large_;                                     // free, at least kLarge
    std::vector<Block> garbage_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::mcts
