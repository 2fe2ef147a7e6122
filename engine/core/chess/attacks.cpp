#include "core/chess/attacks.hpp"

#if defined(__BMI2__)

namespace tengen::chess {

SlidingAttacks::SlidingAttacks() {
    Bits* next = attacks_.data();
    const auto fill = [&next](Line& line, Square from, bool is_diagonal) {
        const Bits edges =
            ((kRank1 | kRank8) & ~rank(rank_of(from))) | ((kFileA | kFileH) & ~(kFileA << file_of(from)));
        line = {lines::slide(from, is_diagonal, 0) & ~edges, next};
        Bits occupied = 0;  // every subset, in the order of its index
        do {
            *next++ = lines::slide(from, is_diagonal, occupied);
            occupied = (occupied - line.relevant) & line.relevant;
        } while (occupied);
    };
    for (Square from = 0; from < kSquares; ++from) {
        fill(rooks_[static_cast<std::size_t>(from)], from, false);
        fill(bishops_[static_cast<std::size_t>(from)], from, true);
    }
}

const SlidingAttacks kSliding;

}  // namespace tengen::chess

#endif
