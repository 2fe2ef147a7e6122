// A chess position as alpha-beta searches it (core/alphabeta/position.hpp): a board that is played on and copied back, and
// an evaluation that is told what each move changes.
//
// An Evaluation: `start(board)`, `push(change)` before the board has played (`push_null` for none), `pop()`,
// `evaluate(board)` in centipawns for the side to move.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "core/alphabeta/position.hpp"
#include "core/chess/endings.hpp"
#include "core/chess/state.hpp"
#include "core/chess/static_exchange.hpp"
#include "core/chess/tablebases.hpp"
#include "core/chess/tuning.hpp"

namespace tengen::chess {

template <class Evaluation>
class SearchPosition {
public:
    // What a move is taken back by; nothing before one is played.
    struct Undo {
        Undo() {}
        union {
            Board board;
        };
        Bits checkers;
    };
    static_assert(std::is_trivially_copyable_v<Board>);
    static constexpr int kMoveBound = chess::kMoveBound, kMaxMoves = kMostMoves;
    static constexpr const alphabeta::Tuning& kTuning = chess::kTuning;
    static constexpr bool kReduces = true, kEndsWithoutMoves = true, kRepetitionForbidden = false;
    static constexpr bool kPrunesByEvaluation = true, kExtendsSingular = true, kOrdersNarrowly = true;
    static constexpr int kPieceTos = 12 * kSquares, kCapturedKinds = kKinds + 1;
    static constexpr int kCorrectionKeys = 3;  // the pawns; White's pieces, Black's

    // tablebases: null, or they outlive this.
    SearchPosition(const State& root, const Evaluation& evaluation, const PositionTuning& tuning,
                   const Tablebases* tablebases)
        : tuning_(tuning),
          tablebases_(tablebases),
          exchange_values_{tuning.see_pawn, tuning.see_knight, tuning.see_bishop,
                           tuning.see_rook, tuning.see_queen,  kExchangeValues[kKing]},
          safety_{0,
                  tuning.order_safety_knight,
                  tuning.order_safety_bishop,
                  tuning.order_safety_rook,
                  tuning.order_safety_queen,
                  0},
          fade_(tuning.fifty_fade),
          board_(root.board()),
          are_claims_free_(board_.halfmove() >= kFifty),
          is_over_(root.is_terminal()),
          evaluation_(evaluation) {
        evaluation_.start(board_);
        checkers_ = board_.checkers();
    }

    int to_move() const { return board_.to_move(); }
    int moves(int* out) const { return legal_moves(board_, out); }
    bool is_terminal() const { return is_over_; }  // of the root, which goes on where it may be claimed as a draw
    int result() const { return checkers_ && !count_legal_moves(board_) ? -1 : 0; }
    // Fifty moves without a capture or a pawn's, which a mate precedes, too few pieces, or an ending that nobody wins.
    bool is_drawn() const {
        if (!are_claims_free_ && may_claim()) return true;
        return is_dead(board_) || known_draw(board_);
    }
    // Whether the side to move may end the game as a draw. Where the root could, it need not; else it is taken for one.
    bool may_claim() const { return board_.halfmove() >= kFifty && (!checkers_ || count_legal_moves(board_)); }
    std::optional<int> known_mate() const { return chess::known_mate(board_); }
    // Tables know nothing of moves without progress, so they are asked right after a capture or a pawn's move.
    std::optional<int> probe(int depth) const {
        if (!tablebases_ || board_.halfmove() != 0 || depth < tuning_.tables_depth ||
            count(board_.all()) > tablebases_->pieces())
            return std::nullopt;
        for (int colour = kWhite; colour <= kBlack; ++colour)
            if (board_.castling(colour, true) != kNoSquare || board_.castling(colour, false) != kNoSquare)
                return std::nullopt;
        return tablebases_->result(board_);
    }
    std::uint64_t key() const { return board_.key(); }
    bool trusts_table() const { return board_.halfmove() < tuning_.fifty_table; }
    int evaluate() const {
        if (const auto known = known_against_king(board_)) return known->worth;
        if (const auto known = known_against_one(board_)) return known->worth;
        const int found = evaluation_.evaluate(board_);
        const int share = endings::winnable(board_, found >= 0 ? to_move() : to_move() ^ 1);
        return fade_.of(found * share / endings::kWhole * (tuning_.fifty_fade - std::min(board_.halfmove(), kFifty)));
    }

    void play(int move, Undo& undo) {
        keep(undo);
        Change change;
        board_.play(move, change);
        evaluation_.push(change);
        checkers_ = board_.checkers();
    }
    void undo(int, const Undo& undo) {
        board_ = undo.board;
        checkers_ = undo.checkers;
        evaluation_.pop();
    }
    int to_dense(int move) const { return move; }

    // Where only pawns could move, zugzwang is likely.
    bool may_play_null() const {
        const Bits own = board_.of(to_move());
        return (own & ~(board_.kind(kPawn) | board_.kind(kKing))) != 0;
    }
    void play_null(Undo& undo) {
        keep(undo);
        board_.play_null();
        evaluation_.push({});
        checkers_ = 0;
    }
    void undo_null(const Undo& undo) { this->undo(-1, undo); }

    bool may_repeat(int move) const {
        return board_.halfmove() > 2 && kind_of(board_.at(from_of(move))) != kPawn && board_.at(to_of(move)) == kNone;
    }
    std::uint64_t repetition_key() const { return board_.key(); }
    std::uint64_t likely_key_after(int move) const { return board_.likely_key_after(move); }
    std::uint64_t repetition_key_after(int move) const { return board_.key_after_quiet(move); }
    int reversible() const { return board_.halfmove(); }

    bool is_in_check() const { return checkers_ != 0; }
    bool is_tactical(int move) const { return board_.is_capture(move) || promotion_of(move) == kQueen; }
    int tactical_moves(int* out) const { return legal_moves(board_, out, checkers_ ? Wanted::all : Wanted::tactical); }
    int piece_to(int move) const { return board_.at(from_of(move)) * kSquares + to_of(move); }
    int captured_kind(int move) const {
        const Piece there = board_.at(to_of(move));
        return there != kNone ? kind_of(there) : board_.is_en_passant(move) ? int(kPawn) : int(kKinds);
    }
    bool see_ge(int move, int threshold) const { return chess::see_ge(board_, move, threshold, exchange_values_); }
    int capture_value(int move) const {
        const Piece there = board_.at(to_of(move));
        const int taken = there != kNone ? value_of(kind_of(there)) : tuning_.see_pawn;
        return taken + (promotion_of(move) ? tuning_.see_queen - tuning_.see_pawn : 0);
    }
    bool is_estimated() const {
        return !is_bare(board_, kWhite) && !is_bare(board_, kBlack) && !known_against_one(board_);
    }
    std::size_t correction_key(int which) const {
        constexpr std::array<Bits, kKinds> kMixers{0x8f1bbcdc6ed9eba1, 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f,
                                                   0x165667b19e3779f9, 0xd6e8feb86659fd93, 0xa0761d6478bd642f};
        Bits mixed = 0;
        const auto mix = [&mixed, &kMixers](Bits squares, int by) {
            mixed += squares * kMixers[static_cast<std::size_t>(by)];
        };
        if (which == 0)
            for (int colour = 0; colour < 2; ++colour) mix(board_.of(colour, kPawn), colour);
        else
            for (int kind = kKnight; kind <= kKing; ++kind) mix(board_.of(which - 1, kind), kind);
        return static_cast<std::size_t>(mixed >> 48);
    }
    // Whether the piece that moves gives check; what it uncovers is not looked at, nor a promotion backwards.
    bool gives_check(int move) const {
        if (check_squares_key_ != board_.key()) find_check_squares();
        const int kind = promotion_of(move) ? promotion_of(move) : kind_of(board_.at(from_of(move)));
        return check_squares_[static_cast<std::size_t>(kind)] & bit(to_of(move));
    }
    // Captures by most valuable victim, then least valuable attacker (MVV-LVA); queens before other promotions. Of quiet
    // moves first those by which a piece escapes a lesser one, and last those that put it under attack of one.
    void order(std::span<const int> moves, int depth, int* worth) const {
        const std::array<Bits, kKinds> by_lesser = depth > 0 ? attacked_by_lesser() : std::array<Bits, kKinds>{};
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const int move = moves[i], promotion = promotion_of(move);
            const bool takes = board_.is_capture(move);
            worth[i] = 0;
            if (takes)
                worth[i] = tuning_.order_capture * capture_value(move) -
                           tuning_.order_capturer * kind_of(board_.at(from_of(move)));
            if (promotion && promotion != kQueen) worth[i] -= tuning_.order_underpromotion;
            if (promotion == kQueen && !takes) worth[i] = tuning_.order_capture * tuning_.see_queen;
            if (depth <= 0 || takes || promotion) continue;
            const int kind = kind_of(board_.at(from_of(move)));
            const Bits there = by_lesser[static_cast<std::size_t>(kind)];
            if (there & bit(from_of(move))) worth[i] += safety_[static_cast<std::size_t>(kind)];
            if (there & bit(to_of(move))) worth[i] -= safety_[static_cast<std::size_t>(kind)];
        }
    }

    // Fitted to how games of players above 2,000 Elo ended, by 633,584 of their positions searched 1,000 nodes deep.
    static double win_rate(alphabeta::Score score) { return won(score) + draw_rate(score) / 2; }
    static double draw_rate(alphabeta::Score score) { return std::max(0.0, 1 - won(score) - won(-score)); }
    // What tables win is worth 200 pawns, less a centipawn for each ply to there.
    static double score_shown(alphabeta::Score score) {
        if (!alphabeta::is_decisive(score) || alphabeta::counts_plies(score)) return score;
        constexpr int kLess = alphabeta::kTableWin - 20'000;
        return score > 0 ? score - kLess : score + kLess;
    }

private:
    static constexpr int kFifty = 100;  // half-moves without progress

    void keep(Undo& undo) const {
        undo.board = board_;
        undo.checkers = checkers_;
    }
    int value_of(int kind) const { return exchange_values_[static_cast<std::size_t>(kind)]; }
    // From where each kind of piece gives check.
    void find_check_squares() const {
        const Square king = board_.king(to_move() ^ 1);
        const Bits diagonal = bishop_attacks(king, board_.all()), straight = rook_attacks(king, board_.all());
        check_squares_ = {pawn_attacks(to_move() != kWhite, bit(king)),
                          knight_attacks(king),
                          diagonal,
                          straight,
                          diagonal | straight,
                          0};
        check_squares_key_ = board_.key();
    }

    // The squares that the enemy's lesser pieces attack, by the kind of the piece that they are lesser than.
    std::array<Bits, kKinds> attacked_by_lesser() const {
        const int them = to_move() ^ 1;
        const Bits occupied = board_.all(), pawns = pawn_attacks(them == kWhite, board_.of(them, kPawn));
        Bits minor = pawns;
        for (Bits rest = board_.of(them, kKnight); rest;) minor |= knight_attacks(take_lowest(rest));
        for (Bits rest = board_.of(them, kBishop); rest;) minor |= bishop_attacks(take_lowest(rest), occupied);
        Bits rook = minor;
        for (Bits rest = board_.of(them, kRook); rest;) rook |= rook_attacks(take_lowest(rest), occupied);
        return {0, pawns, pawns, minor, rook, 0};
    }

    static double won(alphabeta::Score score) { return 1 / (1 + std::exp((kEven - score) / kScale)); }
    static constexpr double kEven = 110, kScale = 100;

    PositionTuning tuning_;
    const Tablebases* tablebases_;
    ExchangeValues exchange_values_;
    std::array<int, kKinds> safety_;  // move ordering, by kind
    alphabeta::Divisor fade_;
    Board board_;
    Bits checkers_ = 0;
    bool are_claims_free_, is_over_;
    mutable std::array<Bits, kKinds> check_squares_{};  // squares, for the position of this key
    mutable std::uint64_t check_squares_key_ = 0;
    mutable Evaluation evaluation_;
};

}  // namespace tengen::chess
