#include "core/go/state.hpp"

#include "core/go/score.hpp"
#include "core/random.hpp"

namespace tengen::go {

template <int N>
int State<N>::candidate_moves(int* out) const {
    if (is_terminal()) return 0;
    const int stone = stone_to_move();
    int count = 0;
    for (int i = 0; i < board_.empty_count(); ++i) {
        const int p = board_.empty_at(i);
        if (!board_.is_playout_eye(p, stone) && board_.is_legal(p, stone)) out[count++] = p;
    }
    // Early passes are never right and would only dilute the search.
    if (passes_ > 0 || count <= 2 || board_.empty_count() * 2 < cells()) out[count++] = kPass;
    return count;
}

template <int N>
float State<N>::margin() const {
    return static_cast<float>(area_margin(board_)) - komi_;
}

template <int N>
std::uint64_t State<N>::locality() const {
    constexpr int kReach = 2;
    std::uint64_t stones = 0, in_atari = 0;
    for (int dy = -kReach; last_ != kPass && dy <= kReach; ++dy)
        for (int dx = -kReach; dx <= kReach; ++dx) {
            const int row = BoardType::row(last_) + dy, column = BoardType::column(last_) + dx;
            const bool is_inside = row >= 0 && row < height() && column >= 0 && column < width();
            const int point = is_inside ? BoardType::point(row, column) : BoardType::kNone;
            const int stone = is_inside ? board_.stone(point) : static_cast<int>(kWall);
            stones = stones << 2 | static_cast<std::uint64_t>(stone);
            in_atari =
                in_atari << 1 | static_cast<std::uint64_t>(is_inside && stone != kEmpty && board_.in_atari(point));
        }
    std::uint64_t seed = stones;
    std::uint64_t key = splitmix64(seed);
    seed = key ^ (in_atari << 1 | to_move_);
    key = splitmix64(seed);
    seed = key ^ (static_cast<std::uint64_t>(last_) | static_cast<std::uint64_t>(last2_) << 16 |
                  static_cast<std::uint64_t>(board_.ko()) << 32);
    return splitmix64(seed) | 1;
}

template <int N>
std::uint64_t State<N>::state_key() const {
    std::uint64_t seed = board_.key();
    std::uint64_t key = splitmix64(seed);
    seed =
        key ^
        (static_cast<std::uint64_t>(to_move_) | static_cast<std::uint64_t>(passes_) << 1 |
         static_cast<std::uint64_t>(
             board_.ko() ? zobrist(BoardType::row(board_.ko()), BoardType::column(board_.ko()), board_.ko_stone()) : 0)
             << 3);
    key = splitmix64(seed);
    seed = key ^ (static_cast<std::uint64_t>(rules_.ko) | static_cast<std::uint64_t>(rules_.scoring) << 2 |
                  static_cast<std::uint64_t>(rules_.tax) << 3 | static_cast<std::uint64_t>(rules_.suicide) << 5 |
                  static_cast<std::uint64_t>(has_button_) << 6 |
                  static_cast<std::uint64_t>(static_cast<std::int64_t>(komi_ * 4)) << 8 |
                  static_cast<std::uint64_t>(board_.width()) << 40 | static_cast<std::uint64_t>(board_.height()) << 48);
    return splitmix64(seed);
}

template class State<9>;
template class State<13>;
template class State<19>;
template class State<25>;

}  // namespace tengen::go
