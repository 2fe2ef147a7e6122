#include "core/go/board.hpp"

#include "core/random.hpp"

namespace tengen::go {

std::uint64_t zobrist(int row, int column, int stone) {
    std::uint64_t seed = 0x7e4a7e11ULL + static_cast<std::uint64_t>((row * kMaxSize + column) * 2 + stone - 1);
    splitmix64(seed);
    return splitmix64(seed);
}

namespace {

template <int N>
std::array<std::array<std::uint64_t, Board<N>::kPoints>, 2> make_keys() {
    std::array<std::array<std::uint64_t, Board<N>::kPoints>, 2> keys{};
    for (int row = 0; row < N; ++row)
        for (int column = 0; column < N; ++column)
            for (int stone : {kBlack, kWhite})
                keys[stone - 1][Board<N>::point(row, column)] = zobrist(row, column, stone);
    return keys;
}

}  // namespace

template <int N>
const std::array<std::array<std::uint64_t, Board<N>::kPoints>, 2> Board<N>::kKeys = make_keys<N>();

template <int N>
Board<N>::Board(int width, int height)
    : width_(static_cast<std::uint8_t>(width)), height_(static_cast<std::uint8_t>(height)) {
    stone_.fill(kWall);
    head_.fill(0);
    next_.fill(0);
    empty_index_.fill(0);
    empty_.fill(0);
    code_.fill(0);
    chain_.fill(Chain{0, 0, 0, 0});
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const int p = point(row, column);
            stone_[p] = kEmpty;
            empty_index_[p] = static_cast<Index>(empty_count_);
            empty_[empty_count_++] = static_cast<Index>(p);
        }
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const int p = point(row, column);
            for (int i = 0; i < 8; ++i)
                if (stone_[p + kDelta[i]] == kWall) code_[p] |= static_cast<std::uint16_t>(kWall << (2 * i));
        }
}

template <int N>
int Board<N>::liberties(int p, int* out, int most) const {
    if (stone_[p] != kBlack && stone_[p] != kWhite) return 0;
    int count = 0;
    const int start = head_[p];
    int s = start;
    do {
        for (int i = 0; i < 4; ++i) {
            const int q = s + kDelta[i];
            if (stone_[q] != kEmpty) continue;
            bool known = false;
            for (int k = 0; k < count && !known; ++k) known = out[k] == q;
            if (known) continue;
            if (count == most) return count;
            out[count++] = q;
            if (count == most) return count;
        }
        s = next_[s];
    } while (s != start);
    return count;
}

template <int N>
int Board<N>::liberties_after(int p, int stone, int most) const {
    Board copy = *this;
    copy.play(p, stone);
    return copy.stone(p) == stone ? copy.count_liberties(p, most) : 0;
}

template <int N>
std::uint64_t Board<N>::key_after(int p, int stone) const {
    const bool suicide = is_suicide(p, stone);
    if (!suicide && !is_capture(p, stone)) return key_ ^ kKeys[stone - 1][p];
    Board copy = *this;
    copy.play(p, stone);
    return copy.key_;
}

template class Board<9>;
template class Board<13>;
template class Board<19>;
template class Board<25>;

}  // namespace tengen::go
