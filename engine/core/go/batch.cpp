#include "core/go/batch.hpp"

#include <algorithm>
#include <vector>

#include "core/go/capacity.hpp"
#include "core/go/features.hpp"
#include "core/go/score.hpp"

namespace tengen::go {
namespace {

template <int N>
class Boards final : public Batch {
public:
    Boards(int size, const State<N>& empty) : empty_(empty), games_(static_cast<std::size_t>(size), Game(empty)) {}

    int size() const override { return static_cast<int>(games_.size()); }
    int width() const override { return empty_.board().width(); }
    int height() const override { return empty_.board().height(); }

    Answer play(std::span<const std::int64_t> moves) override {
        for (std::size_t i = 0; i < games_.size(); ++i)
            if (const Refusal reason = refusal(games_[i], moves[i]); reason != Refusal::kNone)
                return {static_cast<int>(i), reason};
        for (std::size_t i = 0; i < games_.size(); ++i)
            if (moves[i] >= 0 && !games_[i].state.is_terminal())
                games_[i].play(games_[i].state.from_dense(static_cast<int>(moves[i])));
        return {};
    }

    void reset(std::span<const bool> mark) override {
        for (std::size_t i = 0; i < games_.size(); ++i)
            if (mark[i]) games_[i] = Game(empty_);
    }

    void legal_moves(bool* out) const override {
        const int cells = Batch::cells();
        std::fill(out, out + games_.size() * static_cast<std::size_t>(cells + 1), false);
        for (const Game& game : games_) {
            if (!game.state.is_terminal()) {
                const auto& board = game.state.board();
                for (int i = 0; i < board.empty_count(); ++i) {
                    const int p = board.empty_at(i);
                    out[board.cell(p)] = game.state.is_legal(p) && !game.repeats(p);
                }
                out[cells] = true;
            }
            out += cells + 1;
        }
    }

    void stones(std::int8_t* out) const override {
        each_cell(out, [](const Game& game, int p) { return game.state.board().stone(p); });
    }

    void canonical(std::int8_t* out) const override {
        each_cell(out, [](const Game& game, int p) {
            const int stone = game.state.board().stone(p);
            return stone == kEmpty ? 0 : stone == game.state.stone_to_move() ? 1 : -1;
        });
    }

    void areas(std::int8_t* out) const override {
        PointMap<N> owner;
        for (const Game& game : games_) {
            area_owners(game.state.board(), owner);
            for (int c = 0; c < cells(); ++c)
                *out++ = static_cast<std::int8_t>(owner[game.state.board().point_of_cell(c)]);
        }
    }

    void liberties(std::int16_t* out) const override {
        each_cell(out, [](const Game& game, int p) { return game.state.board().count_liberties(p, Board<N>::kCells); });
    }

    void planes(float* out) const override {
        for (const Game& game : games_) {
            int banned[Board<N>::kCells], count = 0;
            if (!game.seen.empty())
                for (int i = 0; i < game.state.board().empty_count(); ++i) {
                    const int p = game.state.board().empty_at(i);
                    if (game.state.is_legal(p) && game.repeats(p)) banned[count++] = p;
                }
            GoV1::encode(game.state, {game.recent, {banned, static_cast<std::size_t>(count)}}, 0, out);
            out += GoV1::kPlanes * cells();
        }
    }

    void keys(std::uint64_t* out) const override {
        each(out, [](const State<N>& state) { return state.board().key(); });
    }
    void to_move(std::int8_t* out) const override {
        each(out, [](const State<N>& state) { return state.to_move(); });
    }
    void passes(std::int8_t* out) const override {
        each(out, [](const State<N>& state) { return state.passes(); });
    }
    void is_over(bool* out) const override {
        each(out, [](const State<N>& state) { return state.is_terminal(); });
    }
    void results(float* out) const override {
        const PointMap<N> none{};
        each(out,
             [&](const State<N>& state) { return score(state.board(), state.rules(), none).margin() - state.komi(); });
    }

    std::unique_ptr<Batch> select(std::span<const std::int64_t> boards) const override {
        auto chosen = std::make_unique<Boards>(0, empty_);
        chosen->games_.reserve(boards.size());
        for (std::int64_t i : boards) chosen->games_.push_back(games_[static_cast<std::size_t>(i)]);
        return chosen;
    }
    State<kMaxSize> get(int board) const override {
        return State<kMaxSize>(games_[static_cast<std::size_t>(board)].state);
    }
    void set(int board, const State<kMaxSize>& state) override {
        games_[static_cast<std::size_t>(board)] = Game(State<N>(state));
    }

private:
    struct Game {
        explicit Game(const State<N>& start) : state(start) {
            recent.fill(-1);
            remember();
        }

        void play(int move) {
            state.play(move);
            std::rotate(recent.begin(), recent.begin() + 1, recent.end());
            recent.back() = move;
            remember();
        }
        void remember() {
            if (state.rules().ko != Ko::kSimple) seen.push_back(state.repetition_key());
        }
        bool repeats(int move) const {
            return !seen.empty() && state.may_repeat(move) &&
                   std::find(seen.begin(), seen.end(), state.repetition_key_after(move)) != seen.end();
        }

        State<N> state;
        std::array<int, GoV1::kRecent> recent;  // newest last; -1 unknown
        std::vector<std::uint64_t> seen;        // repetition keys, where the rules ask for them
    };

    Refusal refusal(const Game& game, std::int64_t dense) const {
        const State<N>& state = game.state;
        if (dense == -1 || state.is_terminal() || dense == cells()) return Refusal::kNone;
        if (dense < 0 || dense > cells()) return Refusal::kOffBoard;
        const int p = state.from_dense(static_cast<int>(dense));
        if (state.board().stone(p) != kEmpty) return Refusal::kOccupied;
        if (state.board().is_ko(p, state.stone_to_move())) return Refusal::kKo;
        if (!state.is_legal(p)) return Refusal::kSuicide;
        return game.repeats(p) ? Refusal::kSuperko : Refusal::kNone;
    }

    template <class T, class F>
    void each(T* out, F value) const {
        for (const Game& game : games_) *out++ = static_cast<T>(value(game.state));
    }
    template <class T, class F>
    void each_cell(T* out, F value) const {
        for (const Game& game : games_)
            for (int c = 0; c < cells(); ++c) *out++ = static_cast<T>(value(game, game.state.board().point_of_cell(c)));
    }

    State<N> empty_;
    std::vector<Game> games_;
};

}  // namespace

std::unique_ptr<Batch> make_batch(int size, int width, int height, const Rules& rules, float komi) {
    return with_capacity(width, height, [&](auto capacity) -> std::unique_ptr<Batch> {
        return std::make_unique<Boards<capacity()>>(size, State<capacity()>(width, height, rules, komi));
    });
}

}  // namespace tengen::go
