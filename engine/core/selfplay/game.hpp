// One game of self-play: the position, what of the past its rules and encoders ask for, and the record.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/concepts.hpp"
#include "core/search/root_facts.hpp"
#include "core/selfplay/draw.hpp"
#include "core/selfplay/ending.hpp"
#include "core/selfplay/record.hpp"
#include "core/selfplay/settings.hpp"

namespace tengen::selfplay {

template <GameState S>
class Game {
public:
    // From a start on, after an opening of dense moves. Throws std::invalid_argument for one that cannot be played.
    Game(const S& start, const std::vector<int>& opening, std::uint64_t number, std::uint64_t seed,
         const PlaySettings& settings)
        : random(seed), state_(start), seen_{start.repetition_key()} {
        if (const std::string why = EndingOf<S>::refusal(start); !why.empty()) throw std::invalid_argument(why);
        record.number = number;
        record.seed = seed;
        for (const int move : opening) {
            if (!may_play(move))
                throw std::invalid_argument("move " + std::to_string(record.plies.size() + 1) +
                                            " of the opening is illegal");
            play({.move = move});
            if (ended(settings)) throw std::invalid_argument("the opening ends the game");
        }
        if (state_.is_terminal()) throw std::invalid_argument("the game is over before it begins");
        record.first = static_cast<int>(opening.size()) + opening_moves(settings, state_.cells(), random);
        record.resignation.plays_on = random.uniform() < settings.play_on;
    }

    const S& state() const { return state_; }
    const std::vector<S>& earlier() const { return earlier_; }
    int moves() const { return static_cast<int>(record.plies.size()); }
    bool is_opening() const { return moves() < record.first; }
    // The facts about the position that a search needs.
    search::RootFacts facts() const {
        search::RootFacts out;
        out.seen = seen_;
        for (int i = std::max(0, moves() - kRecent); i < moves(); ++i)
            out.recent.push_back(record.plies[static_cast<std::size_t>(i)].move);
        return out;
    }
    bool may_play(int dense) const {
        if (dense < 0 || dense >= state_.move_bound() || state_.is_terminal()) return false;
        const int move = state_.from_dense(dense);
        return state_.is_legal(move) &&
               (DrawsByRepetition<S> || !state_.may_repeat(move) || times(state_.repetition_key_after(move)) == 0);
    }
    void play(Ply ply) {
        earlier_.push_back(state_);
        if (earlier_.size() > kEarlier) earlier_.erase(earlier_.begin());
        state_.play(state_.from_dense(ply.move));
        seen_.push_back(state_.repetition_key());
        record.plies.push_back(std::move(ply));
    }
    // Whether the last move ended it.
    std::optional<End> ended(const PlaySettings& settings) const {
        if (state_.is_terminal()) return End::kRules;
        if (DrawsByRepetition<S> && times(seen_.back()) >= kThird) return End::kRepetition;
        if (settings.ends_early != 0 && EndingOf<S>::is_decided(state_)) return End::kDecided;
        const int most = settings.max_moves > 0 ? static_cast<int>(settings.max_moves) : kMovesACell * state_.cells();
        return moves() >= most ? std::optional(End::kLength) : std::nullopt;
    }
    void finish(End end, const PlaySettings& settings) {
        record.end = end;
        record.first = std::min(record.first, moves());
        if (end == End::kResigned) {
            record.margin = state_.to_move() == 0 ? -std::numeric_limits<float>::infinity()
                                                  : std::numeric_limits<float>::infinity();
        } else {
            record.margin = EndingOf<S>::margin(state_, end);
            record.owners = EndingOf<S>::owners(state_, end);
        }
        record.outcome = record.margin > 0 ? 1.0f : record.margin < 0 ? 0.0f : 0.5f;
        weigh(record.plies, settings.surprise);
    }
    // Before the mover's move: whether it resigns now, which is noted either way.
    bool resigns(double expected, const PlaySettings& settings) {
        const int player = state_.to_move();
        int& count = hopeless_[player];
        count = settings.resign > 0 && expected < settings.resign ? count + 1 : 0;
        if (count < settings.resign_moves) return false;
        Resignation& noted = record.resignation;
        if (noted.ply < 0) noted.ply = moves(), noted.player = player;
        return !noted.plays_on;
    }

    Record record;
    Random random;

private:
    static constexpr int kRecent = 8, kMovesACell = 3;
    static constexpr std::size_t kEarlier = 8, kThird = 3;

    std::size_t times(std::uint64_t key) const {
        return static_cast<std::size_t>(std::count(seen_.begin(), seen_.end(), key));
    }

    S state_;
    std::vector<S> earlier_;           // the positions before the last moves, newest last
    std::vector<std::uint64_t> seen_;  // repetition keys of all positions
    int hopeless_[2] = {0, 0};         // own moves in a row below the threshold
};

}  // namespace tengen::selfplay
