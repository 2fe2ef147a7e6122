#include "core/mcts/arena.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace tengen::mcts {

Arena::Arena(std::size_t bytes, bool has_spread)
    : capacity_(bytes / kCell), node_cells_(kNodeCells + (has_spread ? kSpreadCells : 0)) {
    capacity_ = std::clamp<std::size_t>(capacity_, kLeast, 0xfffffff0u);
    reserve();
}

void Arena::reserve() {
    cells_ = static_cast<std::byte*>(std::malloc(capacity_ * kCell));
    while (!cells_ && capacity_ > kLeast) {
        capacity_ = std::max(capacity_ / 2, kLeast);
        void* whole = std::malloc(capacity_ * kCell + kRoom);
        if (whole) cells_ = static_cast<std::byte*>(std::realloc(whole, capacity_ * kCell));
    }
    if (!cells_) cells_ = static_cast<std::byte*>(std::malloc(capacity_ * kCell));
    if (!cells_) throw std::bad_alloc();
}

Arena::~Arena() { std::free(cells_); }

void Arena::clear() {
    const std::lock_guard lock(mutex_);
    std::free(cells_);  // hands the touched pages back
    cells_ = nullptr;
    reserve();
    top_ = kNodeCells;
    free_ = 0;
    nodes_ = 0;
    free_blocks_.assign(kLarge, {});
    large_.clear();
    garbage_.clear();
}

std::size_t Arena::used() const {
    const std::lock_guard lock(mutex_);
    return top_ - free_;
}

std::size_t Arena::nodes() const {
    const std::lock_guard lock(mutex_);
    return nodes_;
}

void Arena::dismantle_one() {
    const Garbage garbage = garbage_.back();
    const Block block = garbage.block;
    garbage_.pop_back();
    if (garbage.is_node) {
        const Node& old = node(block.index);
        --nodes_;
        if (old.has_edges()) garbage_.push_back({{old.edges.load(std::memory_order_relaxed), old.edge_count}, false});
    } else {
        for (std::uint32_t i = block.index; i < block.index + block.count; ++i)
            if (const std::uint32_t below = edge(i).node.load(std::memory_order_relaxed))
                garbage_.push_back({{below, static_cast<std::uint32_t>(node_cells_)}, true});
    }
    free_ += block.count;
    add_free(block);
}

void Arena::add_free(Block block) {
    if (block.count >= kLarge)
        large_.push_back(block);
    else if (block.count > 0)
        free_blocks_[block.count].push_back(block.index);
}

std::uint32_t Arena::take_exact(std::size_t count) {
    if (count >= kLarge || free_blocks_[count].empty()) return 0;
    const std::uint32_t index = free_blocks_[count].back();
    free_blocks_[count].pop_back();
    free_ -= count;
    return index;
}

std::uint32_t Arena::take_large(std::size_t count) {
    if (large_.empty() || large_.back().count < count) return 0;
    const Block block = large_.back();
    large_.pop_back();
    add_free({block.index + static_cast<std::uint32_t>(count), block.count - static_cast<std::uint32_t>(count)});
    free_ -= count;
    return block.index;
}

std::uint32_t Arena::take_split(std::size_t count) {
    for (std::size_t size = count + 1; size < kLarge; ++size) {
        if (free_blocks_[size].empty()) continue;
        const std::uint32_t index = free_blocks_[size].back();
        free_blocks_[size].pop_back();
        add_free({index + static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size - count)});
        free_ -= count;
        return index;
    }
    return 0;
}

std::uint32_t Arena::new_node() {
    const std::lock_guard lock(mutex_);
    const std::uint32_t index = allocate(node_cells_);
    if (!index) return 0;
    ++nodes_;
    new (cells_ + index * kCell) Node;
    if (has_spread()) new (cells_ + index * kCell + sizeof(Node)) Spread;
    return index;
}

std::uint32_t Arena::new_edges(int count) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t index = allocate(static_cast<std::size_t>(count));
    if (index) std::uninitialized_default_construct_n(reinterpret_cast<Edge*>(cells_ + index * kCell), count);
    return index;
}

std::uint32_t Arena::allocate(std::size_t size) {
    if (!garbage_.empty()) dismantle_one();
    if (const std::uint32_t index = take_exact(size)) return index;
    if (const std::uint32_t index = take_large(size)) return index;
    if (top_ + size <= capacity_) {
        const std::uint32_t index = static_cast<std::uint32_t>(top_);
        top_ += size;
        return index;
    }
    for (int i = 0; i < kDismantledAtOnce; ++i) {
        if (const std::uint32_t index = take_exact(size)) return index;
        if (const std::uint32_t index = take_split(size)) return index;
        if (garbage_.empty()) return 0;
        dismantle_one();
    }
    return 0;
}

void Arena::defragment(const search::StopToken& stop) {
    const std::lock_guard lock(mutex_);
    while (!garbage_.empty() && !stop.is_stopped()) dismantle_one();
    if (!garbage_.empty()) return;
    std::vector<Block> blocks = std::move(large_);
    large_.clear();
    for (std::size_t size = 1; size < kLarge; ++size) {
        for (std::uint32_t index : free_blocks_[size]) blocks.push_back({index, static_cast<std::uint32_t>(size)});
        free_blocks_[size].clear();
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.index < b.index; });
    for (std::size_t i = 0; i < blocks.size();) {
        Block joined = blocks[i++];
        while (i < blocks.size() && blocks[i].index == joined.index + joined.count) joined.count += blocks[i++].count;
        if (joined.index + joined.count == top_) {
            top_ = joined.index;
            free_ -= joined.count;
        } else {
            add_free(joined);
        }
    }
}

void Arena::release_node(std::uint32_t index) {
    const std::lock_guard lock(mutex_);
    garbage_.push_back({{index, static_cast<std::uint32_t>(node_cells_)}, true});
}

void Arena::release_edges(std::uint32_t index, int count) {
    const std::lock_guard lock(mutex_);
    garbage_.push_back({{index, static_cast<std::uint32_t>(count)}, false});
}

}  // namespace tengen::mcts
