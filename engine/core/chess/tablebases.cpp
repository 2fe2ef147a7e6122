#include "core/chess/tablebases.hpp"

#include <utility>

namespace tengen::chess {

Tablebases::Tablebases(Ask ask, int pieces)
    : ask_(std::move(ask)),
      pieces_(pieces),
      known_(std::make_unique<std::array<std::atomic<std::uint64_t>, kSlots>>()) {}

std::optional<int> Tablebases::result(const Board& board) const {
    const std::uint64_t key = board.key() & ~kAnswer;
    std::atomic<std::uint64_t>& slot = (*known_)[static_cast<std::size_t>(board.key() >> 32) % kSlots];
    const std::uint64_t known = slot.load(std::memory_order_relaxed);
    int said = kUnknown;
    if (known != 0 && (known & ~kAnswer) == key) {
        said = static_cast<int>(known & kAnswer) - 2;
    } else {
        said = ask_(board).value_or(kUnknown);
        slot.store(key | static_cast<std::uint64_t>(said + 2), std::memory_order_relaxed);
    }
    return said == kUnknown ? std::nullopt : std::optional(said);
}

}  // namespace tengen::chess
