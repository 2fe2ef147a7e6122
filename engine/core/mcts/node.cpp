#include "core/mcts/node.hpp"

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
}

Arena::Arena(std::size_t bytes) : capacity_(bytes / sizeof(Node)) {
    if (capacity_ < 4096) capacity_ = 4096;
    if (capacity_ > 0xfffffff0u) capacity_ = 0xfffffff0u;
    nodes_ = static_cast<Node*>(std::malloc(capacity_ * sizeof(Node)));
    if (!nodes_) throw std::bad_alloc();
}

Arena::~Arena() { std::free(nodes_); }

void Arena::clear() {
    const std::lock_guard lock(mutex_);
    std::free(nodes_);  // hands the touched pages back
    nodes_ = static_cast<Node*>(std::malloc(capacity_ * sizeof(Node)));
    if (!nodes_) throw std::bad_alloc();
    top_ = 2;
    free_ = 0;
    free_blocks_.clear();
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
    if (free_blocks_.size() <= block.count) free_blocks_.resize(block.count + 1);
    free_blocks_[block.count].push_back(block.index);
    free_ += block.count;
}

std::uint32_t Arena::take_free(int count) {
    for (std::size_t size = static_cast<std::size_t>(count); size < free_blocks_.size(); ++size) {
        auto& blocks = free_blocks_[size];
        if (blocks.empty()) continue;
        const std::uint32_t index = blocks.back();
        blocks.pop_back();
        const std::size_t rest = size - static_cast<std::size_t>(count);
        if (rest) free_blocks_[rest].push_back(index + static_cast<std::uint32_t>(count));
        free_ -= static_cast<std::size_t>(count);
        return index;
    }
    return 0;
}

std::uint32_t Arena::allocate(int count) {
    const std::lock_guard lock(mutex_);
    if (!garbage_.empty()) dismantle_one();
    const std::size_t size = static_cast<std::size_t>(count);
    if (size < free_blocks_.size() && !free_blocks_[size].empty()) return take_free(count);
    if (top_ + size <= capacity_) {
        const std::uint32_t index = static_cast<std::uint32_t>(top_);
        top_ += size;
        return index;
    }
    while (true) {
        if (const std::uint32_t index = take_free(count)) return index;
        if (garbage_.empty()) return 0;
        dismantle_one();
    }
}

void Arena::release(std::uint32_t index, int count) {
    const std::lock_guard lock(mutex_);
    garbage_.push_back({index, static_cast<std::uint32_t>(count)});
}

}  // namespace tengen::mcts
