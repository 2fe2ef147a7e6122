// Random words, of which the key of a position is the sum without carry (Zobrist 1970).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/chess/bits.hpp"

namespace tengen::chess {

struct Zobrist {
    std::array<std::array<std::uint64_t, kSquares>, 12> pieces{};
    std::array<std::uint64_t, kSquares> castling{};  // by the rook's square
    std::array<std::uint64_t, 8> en_passant{};       // by file
    std::uint64_t black_to_move = 0;

    constexpr Zobrist() {
        std::uint64_t state = 0x7e9a21c5d8f04b36ULL;
        const auto next = [&state] {  // splitmix64
            std::uint64_t word = state += 0x9e3779b97f4a7c15ULL;
            word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ULL;
            word = (word ^ word >> 27) * 0x94d049bb133111ebULL;
            return word ^ word >> 31;
        };
        for (auto& of_piece : pieces)
            for (auto& word : of_piece) word = next();
        for (auto& word : castling) word = next();
        for (auto& word : en_passant) word = next();
        black_to_move = next();
    }
    std::uint64_t piece(int piece, Square square) const {
        return pieces[static_cast<std::size_t>(piece)][static_cast<std::size_t>(square)];
    }
};
inline constexpr Zobrist kZobrist;

}  // namespace tengen::chess
