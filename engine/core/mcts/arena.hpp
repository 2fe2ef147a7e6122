// The memory of a search tree: a budget of cells that nodes and blocks of edges are cut from.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/compiler.hpp"
#include "core/mcts/node.hpp"
#include "core/search/stop.hpp"

namespace tengen::mcts {

// Memory is reserved at once and touched as it is used; where the system refuses it, the budget shrinks to what leaves
// some room for others. Throws std::bad_alloc when not even kLeast cells fit. Freed subtrees are taken apart lazily, one
// block an allocation, so that dropping a tree of any size costs nothing at that moment.
class Arena {
public:
    static constexpr std::size_t kCell = 16;  // bytes

    // has_spread: every node has its Spread behind it, and takes more cells.
    explicit Arena(std::size_t bytes, bool has_spread = false);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    Node& node(std::uint32_t index) { return *reinterpret_cast<Node*>(cells_ + index * kCell); }
    const Node& node(std::uint32_t index) const { return *reinterpret_cast<const Node*>(cells_ + index * kCell); }
    Edge& edge(std::uint32_t index) { return *reinterpret_cast<Edge*>(cells_ + index * kCell); }
    const Edge& edge(std::uint32_t index) const { return *reinterpret_cast<const Edge*>(cells_ + index * kCell); }
    // The spread of a node of this arena; nullptr where nodes have none.
    Spread* spread(Node& node) const { return has_spread() ? reinterpret_cast<Spread*>(&node + 1) : nullptr; }
    const Spread* spread(const Node& node) const {
        return has_spread() ? reinterpret_cast<const Spread*>(&node + 1) : nullptr;
    }
    bool has_spread() const { return node_cells_ > kNodeCells; }
    std::size_t node_cells() const { return node_cells_; }
    // The node below an edge, nullptr before its first visit.
    Node* below(const Edge& edge) { return below_of(*this, edge); }
    const Node* below(const Edge& edge) const { return below_of(*this, edge); }

    // Bring the node that an edge leads to near, where the processor can.
    void prefetch_below(const Edge& edge) const {
        prefetch(cells_ + edge.node.load(std::memory_order_relaxed) * kCell);
    }

    // Index of a new node, or of the first of `count` new edges; 0 when the budget is spent. Thread-safe.
    std::uint32_t new_node();
    std::uint32_t new_edges(int count);
    // Give a node back, or edges, with everything below.
    void release_node(std::uint32_t index);
    void release_edges(std::uint32_t index, int count);
    void clear();
    // Join adjacent free blocks, which splitting has scattered; the rest waits when it is stopped meanwhile. No other
    // thread may use the arena.
    void defragment(const search::StopToken& stop);
    std::size_t capacity() const { return capacity_; }  // cells
    std::size_t used() const;                           // cells handed out and not yet known to be free
    std::size_t nodes() const;                          // of these, how many nodes

private:
    static constexpr std::size_t kNodeCells = sizeof(Node) / kCell;
    static constexpr std::size_t kSpreadCells = (sizeof(Spread) + kCell - 1) / kCell;
    static_assert(sizeof(Edge) == kCell && sizeof(Node) % kCell == 0 && alignof(Node) <= kCell &&
                  alignof(Spread) <= kCell);

    struct Block {
        std::uint32_t index;
        std::uint32_t count;  // cells
    };
    struct Garbage {
        Block block;
        bool is_node;
    };
    template <class A>
    static auto below_of(A& arena, const Edge& edge) -> decltype(&arena.node(0)) {
        const std::uint32_t index = edge.node.load(std::memory_order_acquire);
        return index ? &arena.node(index) : nullptr;
    }
    void reserve();
    std::uint32_t allocate(std::size_t count);
    void dismantle_one();
    void add_free(Block block);
    std::uint32_t take_exact(std::size_t count);
    std::uint32_t take_large(std::size_t count);
    std::uint32_t take_split(std::size_t count);
    static constexpr std::size_t kLeast = 12288, kRoom = 32u << 20;  // cells; bytes left to others in a refused budget
    static constexpr std::size_t kLarge = 1024;                      // blocks of this many cells are cut from the front
    static constexpr int kDismantledAtOnce = 256;                    // blocks one allocation takes apart at most

    std::byte* cells_ = nullptr;
    std::size_t capacity_, node_cells_;
    std::size_t top_ = kNodeCells, free_ = 0;  // 0 and 1 are Node::kNoEdges and kExpanding
    std::size_t nodes_ = 0;
    std::vector<std::vector<std::uint32_t>> free_blocks_{kLarge};  // by count, below kLarge
    std::vector<Block> large_;                                     // free, at least kLarge
    std::vector<Garbage> garbage_;
    mutable std::mutex mutex_;
};

}  // namespace tengen::mcts
