#include "core/gomoku/search_position.hpp"

#include <algorithm>

namespace tengen::gomoku {

template <int N>
SearchPosition<N>::SearchPosition(const State<kLargest>& root, const ThreatSettings& settings)
    : board_(root), settings_(settings), refutations_(alphabeta::kMaxPly + 2), threatened_at_(alphabeta::kMaxPly + 2) {
    std::uint64_t seed = static_cast<std::uint64_t>(root.rule()) << 32 | static_cast<std::uint64_t>(root.width()) << 8 |
                         static_cast<std::uint64_t>(root.height());
    for (auto& salt : salts_) salt = splitmix64(seed);
    if (settings.networks) sums_.start(settings.networks->at(root.rule()), board_, alphabeta::kMaxPly + 2);
    const int positions = static_cast<int>(settings.vcf_root);
    if (root.winner() >= 0 || positions == 0) return;
    if (vcf_->solve(board_, positions)) {
        win_ = vcf_->move();
        vcf_.knows_win = true;
    } else if (!is_in_check()) {
        find_refutations(positions);
    }
    vcf_->take_nodes();
}

template <int N>
bool SearchPosition<N>::is_terminal() const {
    if (board_.winner() >= 0 || board_.stones() == board_.cells()) return true;
    return board_.rule() == Rule::kRenju && to_move() == 0 && 2 * board_.stones() > board_.cells() &&
           board_.is_terminal();
}

template <int N>
std::optional<int> SearchPosition<N>::known_mate() const {
    if (board_.winner() >= 0) return std::nullopt;
    if (board_.has(Threat::kFive, to_move())) return 1;
    if (const int fives = board_.count(Threat::kFive, enemy())) {
        if (is_caro(board_.rule())) {
            CellList<N> blocks;
            add_five_blocks(board_, to_move(), blocks);
            if (!blocks.size()) return -2;
        } else if (fives > 1 || !board_.is_allowed(board_.cells_with(Threat::kFive, enemy()).first(), to_move())) {
            return -2;
        }
        return std::nullopt;
    }
    if (board_.has(Threat::kOpenFour, to_move())) return 3;
    return std::nullopt;
}

template <int N>
unsigned SearchPosition<N>::threats(int colour) const {
    const auto has = [&](Threat threat) { return static_cast<unsigned>(board_.has(threat, colour)); };
    return has(Threat::kFour) | has(Threat::kFourThree) << 1 | has(Threat::kThree) << 2 |
           has(Threat::kDoubleThree) << 3;
}

template <int N>
int SearchPosition<N>::evaluate() const {
    if (const LineNetwork* network = sums_.network())
        return network->answer(sums_.at(board_, ply_), to_move(), threats(to_move()), threats(enemy()));
    const auto me = static_cast<std::size_t>(to_move());
    return (board_.sums().turn[me] - board_.sums().wait[me ^ 1]) / kWorthUnit +
           threats_worth(threats(to_move()), threats(enemy()));
}

template <int N>
void SearchPosition<N>::order(std::span<const int> moves, int, int* worth) const {
    constexpr int kOverHistory = 256;
    for (std::size_t i = 0; i < moves.size(); ++i)
        worth[i] =
            kOverHistory * (board_.promise(moves[i], to_move()).attack + board_.promise(moves[i], enemy()).defence);
}

template <int N>
int SearchPosition<N>::five_blocks(int* out) const {
    CellList<N> blocks;
    add_five_blocks(board_, to_move(), blocks);
    for (int i = 0; i < blocks.size(); ++i) out[i] = blocks[i];
    return blocks.size();
}

// What takes the enemy's open four away, and own fours.
template <int N>
int SearchPosition<N>::open_four_answers(bool with_fours, int* out) const {
    CellList<N> list;
    add_open_four_blocks(board_, to_move(), board_.cells_with(Threat::kOpenFour, enemy()).first(), list);
    if (with_fours) gomoku::add_fours(board_, to_move(), list);
    for (int i = 0; i < list.size(); ++i) out[i] = list[i];
    return list.size();
}

template <int N>
int SearchPosition<N>::refutations(int* out) const {
    int count = 0;
    refutations_[static_cast<std::size_t>(ply_)].any([&](int cell) {
        if (board_.is_empty(cell) && board_.is_allowed(cell, to_move())) out[count++] = cell;
        return false;
    });
    CellList<N> fours;
    gomoku::add_fours(board_, to_move(), fours);
    for (int i = 0; i < fours.size(); ++i)
        if (!refutations_[static_cast<std::size_t>(ply_)].has(fours[i])) out[count++] = fours[i];
    return count;
}

template <int N>
int SearchPosition<N>::near(int* out) const {
    const bool asks = board_.rule() == Rule::kRenju && to_move() == 0;
    int count = 0;
    board_.any_near([&](int cell) {
        if (!asks || board_.threat(cell, 0) != Threat::kSuspect || board_.is_allowed(cell, 0)) out[count++] = cell;
        return count == kMaxMoves;
    });
    return count;
}

template <int N>
int SearchPosition<N>::all_moves(int* out) const {
    int count = 0;
    any_empty(board_, [&](int cell) {
        if (board_.is_allowed(cell, to_move())) out[count++] = cell;
        return count == kMaxMoves;
    });
    return count;
}

template <int N>
int SearchPosition<N>::moves(int* out) const {
    int count = 0;
    if (ply_ == 0 && win_ >= 0) {
        out[count++] = win_;
    } else if (board_.has(Threat::kFive, to_move())) {
        out[count++] = board_.cells_with(Threat::kFive, to_move()).first();
    } else if (board_.has(Threat::kFive, enemy())) {
        count = five_blocks(out);
    } else if (board_.has(Threat::kOpenFour, to_move())) {
        out[count++] = board_.cells_with(Threat::kOpenFour, to_move()).first();
    } else if (board_.has(Threat::kOpenFour, enemy())) {
        count = open_four_answers(true, out);
    } else if (is_threatened()) {
        count = refutations(out);
    }
    if (!count && board_.stones() == 0) out[count++] = Lanes<N>::cell(board_.height() / 2, board_.width() / 2);
    if (!count) count = near(out);
    return count ? count : all_moves(out);
}

template <int N>
int SearchPosition<N>::tactical_moves(int* out) const {
    if (board_.has(Threat::kFive, enemy())) {
        if (const int count = five_blocks(out)) return count;
        return all_moves(out);
    }
    if (board_.has_fours(to_move()) && settings_.vcf_leaf > 0) {
        const int plies = vcf_->solve(board_, static_cast<int>(settings_.vcf_leaf));
        vcf_nodes_ += vcf_->take_nodes();
        if (plies) {
            out[0] = vcf_->move();
            return 1;
        }
    }
    if (!board_.has(Threat::kOpenFour, enemy())) return 0;
    if (const int count = open_four_answers(false, out)) return count;
    return all_moves(out);
}

template <int N>
bool SearchPosition<N>::is_complete(int depth) const {
    if (board_.has(Threat::kFive, enemy())) return true;
    if (board_.has(Threat::kOpenFour, enemy())) return depth > 0 || !board_.has_fours(to_move());
    return is_threatened();
}

template <int N>
std::optional<alphabeta::Score> SearchPosition<N>::look_for_fours(int depth) {
    threatened_at_[static_cast<std::size_t>(ply_)] = false;
    if (board_.has(Threat::kFive, enemy())) return std::nullopt;
    const int positions = static_cast<int>(std::min(settings_.vcf_node * depth, settings_.vcf_most));
    if (positions <= 0) return std::nullopt;
    if (board_.has_fours(to_move())) {
        const int plies = vcf_->solve(board_, positions);
        vcf_nodes_ += vcf_->take_nodes();
        if (plies) return alphabeta::kWin - ply_ - plies;
    }
    if (depth >= static_cast<int>(settings_.vcf_enemy_depth) && !is_in_check()) find_refutations(positions);
    return std::nullopt;
}

// In how many plies the side to move wins by threats, as a replay confirms; 0: not found. nodes: of the search so far.
template <int N>
int SearchPosition<N>::look_for_threats(std::uint64_t nodes, const typename Vct<N>::IsOver& is_over) {
    const int me = to_move();
    const int positions =
        static_cast<int>(std::min(settings_.vct_root, settings_.vct_share / 100 * static_cast<double>(nodes)));
    if (positions == 0 || board_.winner() >= 0 || board_.has(Threat::kFive, enemy())) return 0;
    if (board_.has(Threat::kOpenFour, enemy()) && !board_.has_fours(me)) return 0;
    const int plies = threes_->solve(board_, *vcf_.get(), positions, is_over);
    return plies && threes_->replay(board_, *vcf_.get(), kReplay, is_over) ? plies : 0;
}

// What has to be stopped, if the enemy would win by fours after nothing.
template <int N>
bool SearchPosition<N>::find_refutations(int positions) {
    if (!board_.has_fours(enemy())) return false;
    const auto here = static_cast<std::size_t>(ply_);
    board_.set_to_move(enemy());
    if (vcf_->solve(board_, positions)) {
        refutations_[here] = {};
        threatened_at_[here] = vcf_->refutations(board_, refutations_[here]);
    }
    vcf_nodes_ += vcf_->take_nodes();
    board_.set_to_move(enemy());
    return threatened_at_[here];
}

template class SearchPosition<15>;
template class SearchPosition<25>;

}  // namespace tengen::gomoku
