// A position of Gomoku as alpha-beta searches it (core/alphabeta/position.hpp): a LineBoard, searches for wins by threats,
// and an evaluation over cells: by a network where there is one of the rule, else a sum of tables. A move is a cell.
//
// A node has the moves that could be good: a five; what stops one; what stops an open four or a win by fours (the
// refutations of doing nothing) and own fours; else the cells near the stones. Where nothing that was left out could be
// better, a loss is proved.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/alphabeta/position.hpp"
#include "core/gomoku/line_network.hpp"
#include "core/gomoku/threat_settings.hpp"
#include "core/gomoku/tuning.hpp"
#include "core/gomoku/vct.hpp"

namespace tengen::gomoku {

template <int N>
class SearchPosition {
public:
    using Board = LineBoard<N>;
    using Undo = typename Board::Undo;
    using Score = alphabeta::Score;
    static constexpr int kMoveBound = Lanes<N>::kCellBound, kMaxMoves = std::min(N * N, 512);
    static constexpr const alphabeta::Tuning& kTuning = gomoku::kTuning;
    static constexpr bool kReduces = true, kPrunesByEvaluation = true, kExtendsSingular = true, kOrdersNarrowly = true;
    static constexpr bool kTakesAnyWin = true;

    SearchPosition(const State<kLargest>& root, const ThreatSettings& settings);
    // Whether boards of this size are searched by this capacity.
    static bool fits(const State<kLargest>& root) {
        return with_capacity(root.width(), root.height(), [](auto capacity) { return decltype(capacity)::value == N; });
    }

    int to_move() const { return board_.to_move(); }
    int moves(int* out) const;
    int all_moves(int* out) const;
    bool is_terminal() const;
    int result() const { return board_.winner() < 0 ? 0 : board_.winner() == to_move() ? 1 : -1; }
    std::uint64_t key() const { return board_.position_key() ^ salts_[static_cast<std::size_t>(to_move())]; }
    std::uint64_t likely_key_after(int move) const {
        return board_.repetition_key_after(move) ^ salts_[static_cast<std::size_t>(to_move() ^ 1)];
    }
    int evaluate() const;
    // What `colour` threatens, a bit each: a four, a four with an open three, an open three, two of them.
    unsigned threats(int colour) const;
    const Board& board() const { return board_; }
    static double win_rate(Score score) { return 1 / (1 + std::exp(-score / kUnit)); }
    static double score_shown(Score score) { return score; }
    void play(int move, Undo& undo) {
        sums_.push(++ply_, board_.changes());
        board_.play(move, undo);
    }
    void undo(int move, const Undo& undo) {
        board_.undo(move, undo);
        --ply_;
    }
    int to_dense(int move) const { return board_.to_dense(move); }

    // Wins that are seen at once, and a five that cannot be stopped.
    std::optional<int> known_mate() const;
    void order(std::span<const int> moves, int depth, int* worth) const;

    // The enemy could make a five, or an open four.
    bool is_in_check() const { return board_.has(Threat::kFive, enemy()) || board_.has(Threat::kOpenFour, enemy()); }
    static constexpr bool kNoneTactical = true;  // fours are ordered, reduced and pruned like other moves
    bool is_tactical(int) const { return false; }
    bool gives_check(int move) const { return board_.threat(move, to_move()) != Threat::kNothing; }
    // Where the depth ends: what answers trouble, else the first move of a win by fours, or none.
    int tactical_moves(int* out) const;
    // A forced answer costs no depth.
    bool is_free(int) const { return board_.has(Threat::kFive, enemy()); }
    bool has_free_moves() const { return board_.has(Threat::kFive, enemy()); }
    // Whether none of the moves left out could save a lost position. depth 0: of `tactical_moves`.
    bool is_complete(int depth) const;

    bool may_play_null() const { return !is_in_check() && !is_threatened(); }
    void play_null(Undo&) {
        board_.set_to_move(enemy());
        sums_.push(++ply_, board_.changes());
    }
    void undo_null(const Undo&) {
        board_.set_to_move(enemy());
        --ply_;
    }

    // Own wins by fours, and those of the enemy, if it were to move, that have to be stopped.
    template <class Count>
    std::optional<Score> solve(int depth, Score, Score, int, Count& count) {
        const auto found = look_for_fours(depth);
        if (vcf_nodes_ >= kTold) {
            vcf_nodes_ -= kTold;
            if (count.count(kTold)) return std::nullopt;
        }
        if (!found && ply_ == 1)
            for (const auto& [key, plies] : refuted_)
                if (key == board_.state_key()) return alphabeta::kWin - ply_ - plies;
        return found;
    }
    // A win by threats at the root, replayed: the move and the score. nodes: of the search so far.
    template <class Count>
    std::optional<std::pair<int, Score>> solve_root(std::uint64_t nodes, Count& count) {
        const int plies = look_for_threats(nodes, [&](std::uint64_t more) { return count.count(more); });
        if (plies == 0) return std::nullopt;
        return std::pair(threes_->move(), alphabeta::kWin - plies);
    }
    // Whether the enemy wins by threats after a move of the root, replayed. It is known from then on.
    template <class Count>
    bool refutes(int move, std::uint64_t nodes, Count& count) {
        Undo undo;
        play(move, undo);
        const int plies = look_for_threats(nodes, [&](std::uint64_t more) { return count.count(more); });
        if (plies) refuted_.emplace_back(board_.state_key(), plies);
        this->undo(move, undo);
        return plies != 0;
    }

private:
    static constexpr double kUnit = 300;  // score units of a unit of log probability
    static constexpr std::uint64_t kTold = 64;
    static constexpr int kReplay = 100'000;  // positions
    using Cells = typename Board::Cells;

    // The search of fours. A copy of a position does without until it asks, unless a win is known to this one.
    class Fours {
    public:
        Fours() = default;
        Fours(const Fours& other) { *this = other; }
        Fours& operator=(const Fours& other) {
            knows_win = other.knows_win;
            if (knows_win) search_ = std::make_unique<Vcf<N>>(*other.search_);
            return *this;
        }
        bool knows_win = false;
        Vcf<N>* get() {
            if (!search_) search_ = std::make_unique<Vcf<N>>();
            return search_.get();
        }
        Vcf<N>* operator->() { return get(); }

    private:
        std::unique_ptr<Vcf<N>> search_;
    };

    // The search of threats. A copy of a position does without until it asks.
    class Threes {
    public:
        Threes() = default;
        Threes(const Threes&) {}
        Threes& operator=(const Threes&) { return *this; }
        Vct<N>* operator->() {
            if (!search_) search_ = std::make_unique<Vct<N>>();
            return search_.get();
        }

    private:
        std::unique_ptr<Vct<N>> search_;
    };

    int enemy() const { return to_move() ^ 1; }
    bool is_threatened() const { return threatened_at_[static_cast<std::size_t>(ply_)]; }
    std::optional<Score> look_for_fours(int depth);
    bool find_refutations(int positions);
    int look_for_threats(std::uint64_t nodes, const typename Vct<N>::IsOver& is_over);
    int five_blocks(int* out) const;
    int open_four_answers(bool with_fours, int* out) const;
    int refutations(int* out) const;
    int near(int* out) const;
    int add_fours(int count, int* out) const;

    mutable Board board_;       // changed and put back where fours are looked for
    mutable LineSums<N> sums_;  // filled in when the evaluation is asked
    mutable Fours vcf_;
    Threes threes_;
    std::vector<std::pair<std::uint64_t, int>> refuted_;  // what the enemy wins after a move of the root: key, plies
    mutable std::uint64_t vcf_nodes_ = 0;
    ThreatSettings settings_;
    std::array<std::uint64_t, 2> salts_;
    int ply_ = 0, win_ = -1;                   // win_: the first move of a win by fours at the root
    std::vector<Cells> refutations_;           // by ply
    std::vector<std::uint8_t> threatened_at_;  // whether they are known there
};

extern template class SearchPosition<15>;
extern template class SearchPosition<25>;

}  // namespace tengen::gomoku
