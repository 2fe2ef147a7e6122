#include "core/chess/ending_kbnk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/chess/attacks.hpp"

namespace tengen::chess::kbnk {
namespace {

// Where the strong side's men stand; the bishop on a light square (a board with a dark one is turned).
struct Men {
    Square king, bishop, knight;

    Bits squares() const { return bit(king) | bit(bishop) | bit(knight); }
    bool are_apart() const { return king != bishop && king != knight && bishop != knight; }
    Bits attacked_by_pieces() const { return knight_attacks(knight) | bishop_attacks(bishop, bit(king) | bit(knight)); }
};
constexpr std::size_t kPlaces = 64 * 32 * 64;

constexpr bool is_light(Square square) { return (file_of(square) + rank_of(square)) % 2 == 1; }
std::size_t index_of(const Men& men) {
    return (static_cast<std::size_t>(men.king) * 32 + static_cast<std::size_t>(men.bishop / 2)) * 64 +
           static_cast<std::size_t>(men.knight);
}
Men men_of(std::size_t index) {
    const Square half = static_cast<Square>(index / 64 % 32 * 2);
    return {static_cast<Square>(index / (64 * 32)), half + !is_light(half), static_cast<Square>(index % 64)};
}

// The squares a king's step away from a set.
Bits around(Bits set) {
    const Bits beside = west(set) | east(set), row = set | beside;
    return beside | forward<true>(row) | forward<false>(row);
}

// Calls see(men before, squares of the bare king for which this is no move) for each last move of the strong side.
template <class See>
void before(const Men& men, const See& see) {
    for (Bits from = king_attacks(men.king) & ~men.squares(); from;)
        see({take_lowest(from), men.bishop, men.knight}, 0);
    for (Bits from = knight_attacks(men.knight) & ~men.squares(); from;)
        see({men.king, men.bishop, take_lowest(from)}, 0);
    for (Bits from = bishop_attacks(men.bishop, bit(men.king) | bit(men.knight)) & ~men.squares(); from;) {
        const Square square = take_lowest(from);
        see({men.king, square, men.knight}, up_to(men.bishop, square));
    }
}

class Table {
public:
    Table() : rounds_(kPlaces * 64, kNever), won_(kPlaces), lost_(kPlaces) {
        std::vector<std::pair<std::size_t, Bits>>
            found;  // positions of the bare king to move that are lost since the last round
        std::vector<std::size_t> all(kPlaces);
        for (std::size_t i = 0; i < kPlaces; ++i) all[i] = i;
        look(all, 0, found);
        for (int round = 1; !found.empty(); ++round) look(go_back(found), round, found);
        won_ = lost_ = {};
    }

    // Of the bare king to move: moves until it is mated, kNever.
    std::uint8_t rounds(const Men& men, Square bare) const {
        return rounds_[index_of(men) * 64 + static_cast<std::size_t>(bare)];
    }
    static constexpr std::uint8_t kNever = 255;

private:
    // The places from which one move leads to what was found; won_ has learned of it.
    std::vector<std::size_t> go_back(const std::vector<std::pair<std::size_t, Bits>>& found) {
        std::vector<std::size_t> out;
        for (const auto& [index, lost] : found)
            before(men_of(index), [this, &out, lost = lost](const Men& men, Bits blocked) {
                const std::size_t earlier = index_of(men);
                const Bits more = lost & ~blocked & ~men.squares() & ~king_attacks(men.king) &
                                  ~men.attacked_by_pieces() & ~won_[earlier];
                if (!more) return;
                won_[earlier] |= more;
                out.push_back(earlier);
            });
        return out;
    }
    // What is lost in so many moves at these places.
    void look(const std::vector<std::size_t>& places, int round, std::vector<std::pair<std::size_t, Bits>>& found) {
        found.clear();
        for (const std::size_t index : places) {
            const Men men = men_of(index);
            if (!men.are_apart()) continue;
            const Bits checked = men.attacked_by_pieces(), near = king_attacks(men.king);
            const Bits open = ~checked & ~near & ~bit(men.king);  // a piece that stands there may be taken
            const Bits lost = ~men.squares() & ~near & ~around(open & ~won_[index]) & (around(open) | checked);
            Bits fresh = lost & ~lost_[index];
            if (!fresh) continue;
            lost_[index] |= fresh;
            found.emplace_back(index, fresh);
            while (fresh)
                rounds_[index * 64 + static_cast<std::size_t>(take_lowest(fresh))] = static_cast<std::uint8_t>(round);
        }
    }

    std::vector<std::uint8_t> rounds_;
    std::vector<Bits> won_, lost_;  // squares of the bare king, by who is to move: the other side, itself
};

const Table& table() {
    static const Table made;
    return made;
}

}  // namespace

std::optional<int> plies_to_mate(Square strong_king, Square bishop, Square knight, Square bare_king,
                                 bool is_strong_to_move) {
    const int turn = is_light(bishop) ? 0 : 7;
    const Men men{strong_king ^ turn, bishop ^ turn, knight ^ turn};
    const Square bare = bare_king ^ turn;
    int rounds = is_strong_to_move ? Table::kNever : table().rounds(men, bare);
    if (is_strong_to_move)
        before(men, [&rounds, bare](const Men& after, Bits blocked) {  // moves go back as they came
            if (blocked & bit(bare) || king_attacks(after.king) & bit(bare)) return;
            rounds = std::min<int>(rounds, table().rounds(after, bare));
        });
    if (rounds == Table::kNever) return std::nullopt;
    return 2 * rounds + is_strong_to_move;
}

}  // namespace tengen::chess::kbnk
