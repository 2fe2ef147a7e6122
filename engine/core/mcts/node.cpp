#include "core/mcts/node.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tengen::mcts {

void Node::copy_from(const Node& other) {
    constexpr auto relaxed = std::memory_order_relaxed;
    value.store(other.value.load(relaxed), relaxed);
    visits.store(other.visits.load(relaxed), relaxed);
    amaf_visits.store(other.amaf_visits.load(relaxed), relaxed);
    amaf_value.store(other.amaf_value.load(relaxed), relaxed);
    margin.store(other.margin.load(relaxed), relaxed);
    prior_value = other.prior_value;
    prior_visits = other.prior_visits;
    children.store(other.children.load(relaxed), relaxed);
    move = other.move;
    child_count = other.child_count;
    proof.store(other.proof.load(relaxed), relaxed);
    excluded = other.excluded;
    complete = other.complete;
}

Arena::Arena(std::size_t bytes) : capacity_(bytes / sizeof(Node)) {
    capacity_ = std::clamp<std::size_t>(capacity_, kLeast, 0xfffffff0u);
    reserve();
}

void Arena::reserve() {
    nodes_ = static_cast<Node*>(std::malloc(capacity_ * sizeof(Node)));
    while (!nodes_ && capacity_ > kLeast) {
        capacity_ = std::max(capacity_ / 2, kLeast);
        void* whole = std::malloc(capacity_ * sizeof(Node) + kRoom);
        if (whole) nodes_ = static_cast<Node*>(std::realloc(whole, capacity_ * sizeof(Node)));
    }
    if (!nodes_) nodes_ = static_cast<Node*>(std::malloc(capacity_ * sizeof(Node)));
    if (!nodes_) throw std::bad_alloc();
}

Arena::~Arena() { std::free(nodes_); }

void Arena::clear() {
    const std::lock_guard lock(mutex_);
    std::free(nodes_);  // hands the touched pages back
    nodes_ = nullptr;
    reserve();
    top_ = 2;
    free_ = 0;
    free_blocks_.assign(kLarge, {});
    large_.clear();
    garbage_.clear();
}

std::size_t Arena::used() const {
    const std::lock_guard lock(mutex_);
    return top_ - free_;
}

void Arena::dismantle_one() {
    const Block block = garbage_.back();
    garbage_.pop_back();
    for (std::uint32_t i = 0; i < block.count; ++i) {
        const Node& node = nodes_[block.index + i];
        if (node.has_children()) garbage_.push_back({node.children.load(std::memory_order_relaxed), node.child_count});
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

std::uint32_t Arena::allocate(int count) {
    const std::lock_guard lock(mutex_);
    if (!garbage_.empty()) dismantle_one();
    const std::size_t size = static_cast<std::size_t>(count);
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

void Arena::defragment(const std::atomic<bool>& stop) {
    const std::lock_guard lock(mutex_);
    while (!garbage_.empty() && !stop.load(std::memory_order_relaxed)) dismantle_one();
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

void Arena::release(std::uint32_t index, int count) {
    const std::lock_guard lock(mutex_);
    garbage_.push_back({index, static_cast<std::uint32_t>(count)});
}

}  // namespace tengen::mcts
