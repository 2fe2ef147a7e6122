#include "core/chess/ending_kpk.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/chess/attacks.hpp"

namespace tengen::chess::kpk {
namespace {

// Pawns stand on the files a to d and the ranks 2 to 7.
constexpr std::size_t kPawns = 24, kPositions = kPawns * 64 * 64 * 2;

struct Placed {
    Square white_king, pawn, black_king;
    bool is_white_to_move;
};

std::size_t index_of(const Placed& at) {
    const std::size_t pawn = static_cast<std::size_t>(4 * (rank_of(at.pawn) - 1) + file_of(at.pawn));
    return ((pawn * 64 + static_cast<std::size_t>(at.white_king)) * 64 + static_cast<std::size_t>(at.black_king)) * 2 +
           at.is_white_to_move;
}

Placed placed_of(std::size_t index) {
    const int pawn = static_cast<int>(index / (64 * 64 * 2));
    return {static_cast<Square>(index / (64 * 2) % 64), 8 * (pawn / 4 + 1) + pawn % 4,
            static_cast<Square>(index / 2 % 64), index % 2 == 1};
}

Bits near(Square king) { return king_attacks(king) | bit(king); }
Bits pawn_takes(Square pawn) { return pawn_attacks<true>(bit(pawn)); }

class Table {
public:
    Table() : found_(kPositions, kUnknown) {
        for (std::size_t i = 0; i < kPositions; ++i) found_[i] = first_look(placed_of(i));
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (std::size_t i = 0; i < kPositions; ++i) {
                if (found_[i] != kUnknown) continue;
                found_[i] = look(placed_of(i));
                has_changed |= found_[i] != kUnknown;
            }
        }
        for (std::size_t i = 0; i < kPositions; ++i)
            if (found_[i] == kWon) won_[i / 64] |= 1ULL << (i % 64);
        found_ = {};
    }

    bool is_won(const Placed& at) const {
        const std::size_t index = index_of(at);
        return won_[index / 64] >> (index % 64) & 1;
    }
    int count() const {
        int out = 0;
        for (const std::uint64_t word : won_) out += chess::count(word);
        return out;
    }

private:
    // What is unknown in the end is drawn.
    enum Result : std::uint8_t { kUnknown, kWon, kDrawn, kIllegal };

    // What a position shows by itself: it is none, it promotes for nothing, it is stalemate, or the pawn is lost.
    static Result first_look(const Placed& at) {
        const Bits white_near = near(at.white_king);
        if (white_near & bit(at.black_king) || at.pawn == at.white_king || at.pawn == at.black_king) return kIllegal;
        if (at.is_white_to_move) {
            if (pawn_takes(at.pawn) & bit(at.black_king)) return kIllegal;
            const Square ahead = at.pawn + 8;
            const bool is_free = ahead != at.white_king && ahead != at.black_king;
            const bool is_safe = !(near(at.black_king) & bit(ahead)) || king_attacks(at.white_king) & bit(ahead);
            return rank_of(at.pawn) == 6 && is_free && is_safe ? kWon : kUnknown;
        }
        const Bits flights = king_attacks(at.black_king) & ~white_near & ~pawn_takes(at.pawn);
        if (!flights) return kDrawn;  // stalemate: a pawn and a king give no mate
        return flights & bit(at.pawn) ? kDrawn : kUnknown;
    }

    Result look(const Placed& at) const { return at.is_white_to_move ? look_for_white(at) : look_for_black(at); }
    Result look_for_white(const Placed& at) const {
        bool are_drawn = true;
        const auto see = [&](const Placed& next) {
            const Result result = found_[index_of(next)];
            are_drawn &= result == kDrawn || result == kIllegal;
            return result == kWon;
        };
        for (Bits to = king_attacks(at.white_king) & ~near(at.black_king) & ~bit(at.pawn); to;)
            if (see({take_lowest(to), at.pawn, at.black_king, false})) return kWon;
        const Bits occupied = bit(at.white_king) | bit(at.black_king);
        for (Square ahead = at.pawn + 8, last = at.pawn + (rank_of(at.pawn) == 1 ? 16 : 8);
             ahead <= last && rank_of(ahead) < 7 && !(occupied & bit(ahead)); ahead += 8)
            if (see({at.white_king, ahead, at.black_king, false})) return kWon;
        return are_drawn ? kDrawn : kUnknown;
    }
    Result look_for_black(const Placed& at) const {
        bool are_won = true;
        for (Bits to = king_attacks(at.black_king) & ~near(at.white_king) & ~pawn_takes(at.pawn); to;) {
            const Result result = found_[index_of({at.white_king, at.pawn, take_lowest(to), true})];
            if (result == kDrawn) return kDrawn;
            are_won &= result == kWon;
        }
        return are_won ? kWon : kUnknown;
    }

    std::vector<Result> found_;
    std::array<std::uint64_t, kPositions / 64> won_{};
};

const Table& table() {
    static const Table made;
    return made;
}

}  // namespace

bool is_won(Square white_king, Square pawn, Square black_king, bool is_white_to_move) {
    const int turn = file_of(pawn) > 3 ? 7 : 0;
    return table().is_won({white_king ^ turn, pawn ^ turn, black_king ^ turn, is_white_to_move});
}

int won_positions() { return table().count(); }

}  // namespace tengen::chess::kpk
