#include "core/chess/perft.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "core/chess/moves.hpp"

namespace tengen::chess {
namespace {

constexpr std::size_t kLine = 64;

template <bool kIsKept>
std::uint64_t leaves_of(const Board& board, int depth, bool in_bulk, PerftTable* table) {
    if (depth <= 0) return 1;
    if (in_bulk && depth == 1) return count_legal_moves(board);
    const bool is_kept = kIsKept && depth >= PerftTable::kLeastDepth;
    if (is_kept)
        if (const std::uint64_t known = table->find(board.key(), depth)) return known;
    std::array<int, kMostMoves> moves;
    const int size = legal_moves(board, moves.data());
    std::uint64_t leaves = 0;
    for (int i = 0; i < size; ++i) {
        Board next = board;
        next.play(moves[static_cast<std::size_t>(i)]);
        leaves += depth > 1 ? leaves_of<kIsKept>(next, depth - 1, in_bulk, table) : 1;
    }
    if (is_kept) table->store(board.key(), depth, leaves);
    return leaves;
}

}  // namespace

void PerftTable::Free::operator()(void* memory) const { std::free(memory); }

PerftTable::PerftTable(std::size_t bytes) : count_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {
    static_assert(sizeof(Bucket) == kLine);
    memory_.reset(std::calloc(count_ + 1, sizeof(Bucket)));
    if (!memory_) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    buckets_ = reinterpret_cast<Bucket*>((address + kLine - 1) & ~(kLine - 1));
}

PerftTable::Bucket& PerftTable::bucket(std::uint64_t key, int depth) const {
    const std::uint64_t mixed = (key ^ static_cast<std::uint64_t>(depth)) * 0x9e3779b97f4a7c15ULL;
    return buckets_[(mixed ^ mixed >> 32) % count_];
}

std::uint64_t PerftTable::find(std::uint64_t key, int depth) const {
    for (const Entry& entry : bucket(key, depth))
        if (entry.key == key && static_cast<int>(entry.data & ((1u << kDepthBits) - 1)) == depth)
            return entry.data >> kDepthBits;
    return 0;
}

// In place of what was the least work to count.
void PerftTable::store(std::uint64_t key, int depth, std::uint64_t leaves) {
    if (leaves >> (64 - kDepthBits)) return;
    Bucket& here = bucket(key, depth);
    Entry& least =
        *std::min_element(here.begin(), here.end(), [](const Entry& a, const Entry& b) { return a.data < b.data; });
    least = {key, leaves << kDepthBits | static_cast<std::uint64_t>(depth)};
}

std::uint64_t perft(const Board& board, int depth, bool in_bulk, PerftTable* table) {
    return table ? leaves_of<true>(board, depth, in_bulk, table) : leaves_of<false>(board, depth, in_bulk, table);
}

}  // namespace tengen::chess
