#include "core/chess/features.hpp"

#include <algorithm>

#include "core/chess/move_facts.hpp"
#include "core/planes.hpp"

namespace tengen::chess {

namespace {

constexpr int kPairs = kSquares * kSquares;
constexpr int kLesser = (kQueen - kKnight) * kSide * 3;

int policy_size(int, int) { return kPairs + kLesser; }
int moves(int, int) { return kMoveBound; }
int symmetries(int, int) { return 1; }

int policy_index(int move, int, int, int) {
    const int from = from_of(move), to = to_of(move), piece = promotion_of(move);
    if (piece == 0 || piece == kQueen) return move & (kPairs - 1);
    const int aside = std::clamp(file_of(to) - file_of(from), -1, 1);
    return kPairs + 3 * kSide * (piece - kKnight) + 3 * file_of(from) + aside + 1;
}

// The planes of a position as the side to move sees it.
class View {
public:
    View(const Board& board, int count, float* planes)
        : board_(board), out_(planes, count, kSide, kSide, 0), turn_(board.to_move() == kWhite ? 56 : 0) {}

    void show(Bits squares, int plane, float value = 1) {
        while (squares) out_.set(plane, take_lowest(squares) ^ turn_, value);
    }
    void fill(int plane, float value) { out_.fill(plane, value); }
    Bits pieces(bool is_own, int kind) const { return board_.of(board_.to_move() ^ !is_own, kind); }
    Bits castling(bool is_own) const {
        Bits out = 0;
        for (const bool king_side : {true, false})
            if (const Square rook = board_.castling(board_.to_move() ^ !is_own, king_side); rook != kNoSquare)
                out |= bit(rook);
        return out;
    }
    Bits attacked(bool by_own) const {
        const bool by_white = (board_.to_move() == kWhite) == by_own;
        return by_white ? attacked_by_enemy<kBlack>(board_) : attacked_by_enemy<kWhite>(board_);
    }

private:
    const Board& board_;
    Planes out_;
    int turn_;
};

}  // namespace

const FeatureSet& ChessV1::set() {
    static const FeatureSet set{
        .game = "chess",
        .name = "chess-v1",
        .planes = {"on_board",      "own_pawns",    "own_knights",    "own_bishops",   "own_rooks",     "own_queens",
                   "own_king",      "enemy_pawns",  "enemy_knights",  "enemy_bishops", "enemy_rooks",   "enemy_queens",
                   "enemy_king",    "own_castling", "enemy_castling", "en_passant",    "halfmove",      "own_attacks",
                   "enemy_attacks", "checkers",     "recent_1_from",  "recent_1_to",   "recent_2_from", "recent_2_to"},
        .globals = {"black", "rating", "enemy_rating", "rated"},
        .recent = 2,
        .symmetries = symmetries,
        .policy_size = policy_size,
        .policy_index = policy_index,
        .moves = moves,
    };
    return set;
}

void ChessV1::encode(const State& state, const Past<State>& past, int, float* planes, float* globals) {
    const Board& board = state.board();
    View view(board, kPlanes, planes);
    view.fill(0, 1);
    for (int kind = 0; kind < kKinds; ++kind) {
        view.show(view.pieces(true, kind), 1 + kind);
        view.show(view.pieces(false, kind), 7 + kind);
    }
    view.show(view.castling(true), 13);
    view.show(view.castling(false), 14);
    if (board.en_passant() != kNoSquare) view.show(bit(board.en_passant()), 15);
    view.fill(16, static_cast<float>(std::min(board.halfmove(), 100)) / 100);
    view.show(view.attacked(true), 17);
    view.show(view.attacked(false), 18);
    view.show(board.checkers(), 19);
    const std::size_t known = std::min<std::size_t>(past.recent.size(), 2);
    for (std::size_t i = 0; i < known; ++i) {
        const int move = past.recent[past.recent.size() - 1 - i], plane = 20 + 2 * static_cast<int>(i);
        if (move < 0) continue;
        view.show(bit(from_of(move)), plane);
        view.show(bit(to_of(move)), plane + 1);
    }
    globals[0] = static_cast<float>(board.to_move() == kBlack);
    std::fill(globals + 1, globals + 4, 0.0f);
}

const FeatureSet& ChessV2::set() {
    static const FeatureSet set = [] {
        FeatureSet out = ChessV1::set();
        out.name = "chess-v2";
        for (int row = 0; row < kSide; ++row)
            for (int file = 0; file < kSide; ++file)
                out.planes.push_back("moves_from_" +
                                     std::string{static_cast<char>('a' + file), static_cast<char>('8' - row)});
        return out;
    }();
    return set;
}

void ChessV2::encode(const State& state, const Past<State>& past, int symmetry, float* planes, float* globals) {
    ChessV1::encode(state, past, symmetry, planes, globals);
    float* moves = planes + ChessV1::kPlanes * kSquares;
    std::fill(moves, moves + kPairs, 0.0f);
    if (state.is_terminal()) return;
    const int turn = state.board().to_move() == kWhite ? 56 : 0, last = past.recent.empty() ? -1 : past.recent.back();
    facts_of_moves(state.board(), last, [&](int move, int number) {
        moves[(from_of(move) ^ turn) * kSquares + (to_of(move) ^ turn)] = static_cast<float>(number);
    });
}

const FeatureSet& FromToV1::set() {
    static const FeatureSet set{
        .game = "chess",
        .name = "chess-fromto-v1",
        .planes = {"pawns", "knights", "bishops", "rooks", "queens", "kings"},
        .globals = {"black"},
        .symmetries = symmetries,
        .policy_size = policy_size,
        .policy_index = policy_index,
        .moves = moves,
    };
    return set;
}

void FromToV1::encode(const State& state, const Past<State>&, int, float* planes, float* globals) {
    View view(state.board(), kPlanes, planes);
    for (int kind = 0; kind < kKinds; ++kind) {
        view.show(view.pieces(true, kind), kind);
        view.show(view.pieces(false, kind), kind, -1);
    }
    globals[0] = static_cast<float>(state.board().to_move() == kBlack);
}

static_assert(FeatureEncoder<ChessV1, State> && FeatureEncoder<ChessV2, State> && FeatureEncoder<FromToV1, State>);

std::span<const Encoder<State>> encoders() {
    static const Encoder<State> all[] = {encoder_of<ChessV1, State>(), encoder_of<ChessV2, State>(),
                                         encoder_of<FromToV1, State>()};
    return all;
}

}  // namespace tengen::chess
