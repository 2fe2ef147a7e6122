// What is known of endings, as lists: by the men of both sides, what is drawn for certain, and what a position is worth in
// place of the evaluation. How much of an advantage counts elsewhere is in ending_shares.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "core/chess/ending_draws.hpp"
#include "core/chess/ending_shares.hpp"
#include "core/chess/ending_worths.hpp"

namespace tengen::chess {

namespace endings {

// How many men of each kind a side has beside its king, four bits each.
using Men = std::uint64_t;
constexpr Men men(int pawns, int knights, int bishops, int rooks, int queens) {
    return static_cast<Men>(pawns | knights << 4 | bishops << 8 | rooks << 12 | queens << 16);
}
inline Men men_of(const Board& board, int colour) {
    Men out = 0;
    for (int kind = kPawn; kind < kKing; ++kind) out |= static_cast<Men>(count(board.of(colour, kind))) << (4 * kind);
    return out;
}
inline constexpr Men kNobody = 0, kEveryKind = men(15, 15, 15, 15, 15);

// A class of endings: the men of the stronger side, but for kinds of which it may have any number, and of the weaker one.
struct Class {
    const char* name;
    Men strong, any, weak;

    bool fits(Men of_strong, Men of_weak) const { return (of_strong & ~any) == strong && of_weak == weak; }
};

inline constexpr Class kBishopAndKnight{"bishop and knight against king", men(0, 1, 1, 0, 0), 0, kNobody};

// Drawn for certain where `holds`.
struct Draw {
    Class men;
    bool (*holds)(const Board&, int strong);
};
inline constexpr Draw kDraws[] = {
    {{"king and pawn against king", men(1, 0, 0, 0, 0), 0, kNobody}, is_pawn_stopped},
    {{"edge pawns and no bishop of their corner against king", kNobody, men(15, 0, 15, 0, 0), kNobody}, is_corner_kept},
    {{"knight and edge pawn against king", men(1, 1, 0, 0, 0), 0, kNobody}, is_knight_tied},
    {kBishopAndKnight, is_no_mate},
};

// Worth so much for the stronger side, where `holds`.
struct Worth {
    Class men;
    bool (*holds)(const Board&, int strong);
    int (*worth)(const Board&, int strong);
};
inline constexpr Worth kAgainstKing[] = {
    {{"king and pawn against king", men(1, 0, 0, 0, 0), 0, kNobody}, always, promoting},
    {{"two knights against king", men(0, 2, 0, 0, 0), 0, kNobody}, always, nothing},
    {{"enough to mate against king", kNobody, kEveryKind, kNobody}, can_mate, mating},
};
inline constexpr Worth kAgainstOne[] = {
    {{"queen against pawn", men(0, 0, 0, 0, 1), 0, men(1, 0, 0, 0, 0)}, always, queen_against_pawn},
    {{"rook against knight", men(0, 0, 0, 1, 0), 0, men(0, 1, 0, 0, 0)}, always, pressing},
    {{"rook against bishop", men(0, 0, 0, 1, 0), 0, men(0, 0, 1, 0, 0)}, always, pressing},
    {{"pieces against knight", kNobody, men(0, 15, 15, 15, 15), men(0, 1, 0, 0, 0)}, is_rook_ahead, hunting},
    {{"pieces against bishop", kNobody, men(0, 15, 15, 15, 15), men(0, 0, 1, 0, 0)}, is_rook_ahead, hunting},
    {{"pieces against rook", kNobody, men(0, 15, 15, 15, 15), men(0, 0, 0, 1, 0)}, is_rook_ahead, hunting},
    {{"pieces against queen", kNobody, men(0, 15, 15, 15, 15), men(0, 0, 0, 0, 1)}, is_rook_ahead, hunting},
};

// What is known of a position.
struct Known {
    const char* name;
    int worth;      // for the side to move
    bool is_drawn;  // for certain
};

template <std::size_t kSize>
std::optional<Known> known_by(const Worth (&rows)[kSize], const Board& board, int strong) {
    const Men of_strong = men_of(board, strong), of_weak = men_of(board, strong ^ 1);
    for (const Worth& row : rows) {
        if (!row.men.fits(of_strong, of_weak) || !row.holds(board, strong)) continue;
        const int worth = row.worth(board, strong);
        return Known{row.men.name, board.to_move() == strong ? worth : -worth, false};
    }
    return std::nullopt;
}

// The colour that plays against a bare king; -1: neither does.
inline int against_king(const Board& board) {
    return is_bare(board, kWhite) ? kBlack : is_bare(board, kBlack) ? kWhite : -1;
}

}  // namespace endings

// A position that nobody wins, for certain.
inline std::optional<endings::Known> known_draw(const Board& board) {
    const int strong = endings::against_king(board);
    if (strong < 0) return std::nullopt;
    const endings::Men of_strong = endings::men_of(board, strong);
    for (const endings::Draw& row : endings::kDraws)
        if (row.men.fits(of_strong, endings::kNobody) && row.holds(board, strong))
            return endings::Known{row.men.name, 0, true};
    return std::nullopt;
}

// In how many half-moves the mate comes, by a table, unless fifty moves come before it: above 0 for the side to move, below
// 0 against it, 0 where it stands; nothing elsewhere.
inline std::optional<int> known_mate(const Board& board) {
    const int strong = endings::against_king(board);
    if (strong < 0 || !endings::kBishopAndKnight.fits(endings::men_of(board, strong), endings::kNobody))
        return std::nullopt;
    const auto plies = endings::plies_by_table(board, strong);
    if (!plies || *plies + board.halfmove() > 100) return std::nullopt;
    return board.to_move() == strong ? *plies : -*plies;
}

// What stands in place of the evaluation where a king is alone.
inline std::optional<endings::Known> known_against_king(const Board& board) {
    const int strong = endings::against_king(board);
    if (strong < 0) return std::nullopt;
    return endings::known_by(endings::kAgainstKing, board, strong);
}

// What stands in place of the evaluation where a king has one man left, of six or fewer in all.
inline std::optional<endings::Known> known_against_one(const Board& board) {
    if (count(board.all()) > 6) return std::nullopt;
    for (const int strong : {kWhite, kBlack}) {
        if (count(board.of(strong ^ 1)) != 2) continue;
        if (const auto known = endings::known_by(endings::kAgainstOne, board, strong)) return known;
    }
    return std::nullopt;
}

}  // namespace tengen::chess
