#include "core/reversi/patterns.hpp"

#include <algorithm>

#include "core/symmetry.hpp"

namespace tengen::reversi {
namespace {

constexpr std::uint8_t at(const char* name) {
    return static_cast<std::uint8_t>((name[1] - '1') * kSide + (name[0] - 'a'));
}

constexpr PatternClass kTable[kClasses] = {
    {"corner 3x3", 9, {at("a1"), at("b1"), at("a2"), at("b2"), at("c1"), at("a3"), at("c2"), at("b3"), at("c3")}},
    {"corner and edges",
     10,
     {at("a5"), at("a4"), at("a3"), at("a2"), at("a1"), at("b2"), at("b1"), at("c1"), at("d1"), at("e1")}},
    {"edge and X",
     10,
     {at("b2"), at("a1"), at("b1"), at("c1"), at("d1"), at("e1"), at("f1"), at("g1"), at("h1"), at("g2")}},
    {"edge and block",
     10,
     {at("a1"), at("c1"), at("d1"), at("c2"), at("d2"), at("e2"), at("f2"), at("e1"), at("f1"), at("h1")}},
    {"row 2", 8, {at("a2"), at("b2"), at("c2"), at("d2"), at("e2"), at("f2"), at("g2"), at("h2")}},
    {"row 3", 8, {at("a3"), at("b3"), at("c3"), at("d3"), at("e3"), at("f3"), at("g3"), at("h3")}},
    {"row 4", 8, {at("a4"), at("b4"), at("c4"), at("d4"), at("e4"), at("f4"), at("g4"), at("h4")}},
    {"diagonal of 8", 8, {at("a1"), at("b2"), at("c3"), at("d4"), at("e5"), at("f6"), at("g7"), at("h8")}},
    {"diagonal of 7", 7, {at("b1"), at("c2"), at("d3"), at("e4"), at("f5"), at("g6"), at("h7")}},
    {"diagonal of 6", 6, {at("c1"), at("d2"), at("e3"), at("f4"), at("g5"), at("h6")}},
    {"diagonal of 5", 5, {at("d1"), at("e2"), at("f3"), at("g4"), at("h5")}},
    {"diagonal of 4", 4, {at("e1"), at("f2"), at("g3"), at("h4")}},
};

using Cells = std::array<std::uint8_t, kLargestPattern>;

Cells turned(const PatternClass& one, int symmetry) {
    Cells out{};
    for (int i = 0; i < one.size; ++i)
        out[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(transform_cell(one.cells[static_cast<std::size_t>(i)], kSide, kSide, symmetry));
    return out;
}

Bits set_of(const Cells& cells, int size) {
    Bits out = 0;
    for (int i = 0; i < size; ++i) out |= 1ULL << cells[static_cast<std::size_t>(i)];
    return out;
}

std::array<PatternPlace, kPlaces> make_places() {
    std::array<PatternPlace, kPlaces> out;
    std::size_t count = 0;
    for (int of = 0; of < kClasses; ++of) {
        const PatternClass& one = kTable[of];
        std::vector<Bits> known;
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            const Cells cells = turned(one, symmetry);
            const Bits set = set_of(cells, one.size);
            if (std::find(known.begin(), known.end(), set) != known.end()) continue;
            known.push_back(set);
            out.at(count++) = {of, one.size, cells};
        }
    }
    return out;
}

std::array<Indices, kCells> make_cells() {
    std::array<Indices, kCells> out{};
    const auto& places = pattern_places();
    for (std::size_t place = 0; place < kPlaces; ++place)
        for (int i = 0; i < places[place].size; ++i)
            out[places[place].cells[static_cast<std::size_t>(i)]].lanes[place] =
                static_cast<std::int16_t>(power_of_3(i));
    return out;
}

// For each digit of a class, which digit it becomes in the mirror image that is the class itself; empty: there is none.
std::vector<int> mirrored(const PatternClass& one) {
    const Bits set = set_of(one.cells, one.size);
    for (int symmetry = 1; symmetry < 8; ++symmetry) {
        const Cells cells = turned(one, symmetry);
        if (set_of(cells, one.size) != set || cells == one.cells) continue;
        std::vector<int> out;
        for (int i = 0; i < one.size; ++i)
            out.push_back(static_cast<int>(
                std::find(one.cells.begin(), one.cells.end(), cells[static_cast<std::size_t>(i)]) - one.cells.begin()));
        return out;
    }
    return {};
}

int mirror_of(int index, int size, const std::vector<int>& digits) {
    int out = 0;
    for (int i = 0; i < size; ++i) {
        const int digit = (index + centre_of(size)) / power_of_3(i) % 3 - 1;
        out += digit * power_of_3(digits[static_cast<std::size_t>(i)]);
    }
    return out;
}

}  // namespace

std::span<const PatternClass> pattern_classes() { return kTable; }

const std::array<PatternPlace, kPlaces>& pattern_places() {
    static const std::array<PatternPlace, kPlaces> places = make_places();
    return places;
}

const std::array<Indices, kCells> kCellIndices = make_cells();

Indices indices_of(Bits black, Bits white) {
    Indices out;
    for (Bits rest = black; rest; rest &= rest - 1) out.add(kCellIndices[static_cast<std::size_t>(lowest(rest))], 1);
    for (Bits rest = white; rest; rest &= rest - 1) out.add(kCellIndices[static_cast<std::size_t>(lowest(rest))], -1);
    return out;
}

const PatternWeights& PatternWeights::instance() {
    static const PatternWeights one;
    return one;
}

PatternWeights::PatternWeights() {
    for (std::size_t of = 0; of < kClasses; ++of) {
        const PatternClass& one = kTable[of];
        const std::vector<int> digits = mirrored(one);
        const int centre = centre_of(one.size);
        offsets_[of] = count_;
        packed_[of].assign(static_cast<std::size_t>(2 * centre + 1), -1);
        int next = 0;
        for (int index = -centre; index <= centre; ++index) {
            std::int32_t& own = packed_[of][static_cast<std::size_t>(index + centre)];
            if (own >= 0) continue;
            own = next;
            if (!digits.empty())
                packed_[of][static_cast<std::size_t>(mirror_of(index, one.size, digits) + centre)] = next;
            ++next;
        }
        count_ += next;
    }
}

}  // namespace tengen::reversi
