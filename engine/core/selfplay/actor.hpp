// Many games at once by self-play: each slot has a game and a tree, all leaves go into shared batches. A search that is
// over is recorded, its move played and the next one begun, without anybody outside having to ask.
//
// With one leaf of a tree on its way at a time a game depends on the answers and its seed alone, not on the games beside it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/mcts/forest.hpp"
#include "core/selfplay/found.hpp"
#include "core/selfplay/game.hpp"

namespace tengen::selfplay {

// Counts of an actor's work so far.
struct Counts {
    std::uint64_t answered = 0, cached = 0, games = 0, moves = 0, full = 0;
};

template <GameState S, class F>
    requires FeatureEncoder<F, S> || ChosenEncoder<F>
class Actor {
public:
    using Forest = mcts::Forest<S, F>;
    using Facts = typename Forest::Facts;

    Actor(std::size_t slots, std::uint64_t seed, const PlaySettings& settings, const Facts& facts)
        : settings_(settings),
          set_(set_of<F>(facts)),
          slots_(slots),
          forest_({}, {}, search_settings(settings, Effort::kFull), 0,
                  {settings.symmetries != 0, splitmix64(seed), facts,
                   static_cast<std::size_t>(settings.cache_mb * 1048576.0)}) {
        forest_.allow(static_cast<int>(settings.leaves));
    }

    std::size_t free() const {
        std::size_t count = 0;
        for (const Slot& slot : slots_) count += !slot.game;
        return count;
    }
    // Begin a game in a free slot; its number. Throws std::invalid_argument for an opening that cannot be played,
    // std::logic_error when no slot is free.
    std::uint64_t start(const S& state, const std::vector<int>& opening, std::uint64_t seed) {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].game) continue;
            auto game = std::make_unique<Game<S>>(state, opening, started_, seed, settings_);
            if (i == forest_.size()) forest_.add(state, search_settings(settings_, Effort::kFull), bytes(state));
            slots_[i].game = std::move(game);
            forest_.drop(i);
            search(i);
            return started_++;
        }
        throw std::logic_error("no slot is free");
    }

    // Up to `room` leaves, encoded row by row; is_root: of each, where it is not null, whether it is the root of a tree.
    // 0: none before an answer comes, or no game is on.
    std::size_t collect(std::size_t room, float* planes, float* globals, bool* is_root) {
        const std::size_t wide = set_.planes.size(), high = set_.globals.size();
        typename Forest::Batch batch;
        for (bool has_moved = true; has_moved && batch.size() < room;) {
            const std::size_t from = batch.size();
            const std::size_t size = wide * (forest_.size() ? static_cast<std::size_t>(forest_.state(0).cells()) : 0);
            auto more = forest_.collect(room - from, {planes + from * size, globals ? globals + from * high : nullptr});
            std::move(more.begin(), more.end(), std::back_inserter(batch));
            has_moved = advance();
        }
        for (std::size_t i = 0; is_root && i < batch.size(); ++i) is_root[i] = batch[i].leaf->depth == 0;
        const std::size_t count = batch.size();
        if (count) waiting_.push_back(std::move(batch));
        return count;
    }
    std::size_t oldest() const { return waiting_.empty() ? 0 : waiting_.front().size(); }
    // The answers to the oldest batch.
    void deliver(std::span<const mcts::Answer> answers) {
        forest_.deliver(waiting_.front(), answers);
        counts_.answered += waiting_.front().size();
        for (const mcts::Answer& answer : answers) has_scores_ = has_scores_ || answer.has_score;
        waiting_.pop_front();
        advance();
    }
    // The games that have ended since it was asked last.
    std::vector<Record> finished() { return std::exchange(finished_, {}); }
    Counts counts() const {
        Counts out = counts_;
        for (std::size_t i = 0; i < forest_.size(); ++i) out.cached += forest_.counts(i).cached;
        return out;
    }
    // The game that goes on in a slot, if any: its number and its dense moves so far. Throws std::out_of_range.
    std::optional<std::pair<std::uint64_t, std::vector<int>>> game(std::size_t slot) const {
        const auto& game = slots_.at(slot).game;
        if (!game) return std::nullopt;
        std::vector<int> moves;
        for (const Ply& ply : game->record.plies) moves.push_back(ply.move);
        return std::pair(game->record.number, std::move(moves));
    }

private:
    struct Slot {
        std::unique_ptr<Game<S>> game;
        Effort effort = Effort::kFull;
    };

    // The memory of a tree: what two full searches take whose moves are all on the board.
    std::size_t bytes(const S& state) const {
        constexpr std::size_t kLeast = 1 << 20, kNode = 64;
        const auto moves = static_cast<std::size_t>(state.move_bound());
        const double visits = std::max(settings_.visits, settings_.cheap_visits);
        return std::max(kLeast, 3 * static_cast<std::size_t>(visits) * (moves * sizeof(mcts::Edge) + kNode));
    }

    // Begin the search of a slot's next move.
    void search(std::size_t at) {
        Slot& slot = slots_[at];
        Game<S>& game = *slot.game;
        slot.effort = game.is_opening()                              ? Effort::kOpening
                      : game.random.uniform() < settings_.full_share ? Effort::kFull
                                                                     : Effort::kCheap;
        const auto settings = search_settings(settings_, slot.effort);
        forest_.configure(at, settings);
        if (settings_.reuse == 0) forest_.drop(at);
        const bool explores = std::get<mcts::PuctSettings>(settings.rule).is_exploring();
        forest_.begin(at, game.state(), game.earlier(), game.facts(), {.visits = visits_of(settings_, slot.effort)}, {},
                      {.seed = game.random.next(), .looks = explores || slot.effort != Effort::kCheap});
    }

    // Play the moves of all searches that are over; whether there were any.
    bool advance() {
        bool has_moved = false;
        for (std::size_t i = 0; i < forest_.size(); ++i) {
            if (!slots_[i].game || forest_.in_flight(i) || !forest_.is_over(i)) continue;
            has_moved = true;
            if (step(i))
                search(i);
            else
                hand_over(i);
        }
        return has_moved;
    }

    // One move of a slot's game; whether the game goes on.
    bool step(std::size_t at) {
        Game<S>& game = *slots_[at].game;
        forest_.end(at);
        game.record.visits += forest_.root(at).visits.load();
        Ply ply;
        if (!forest_.root(at).has_edges()) {
            ply.move = any_move(game);
        } else if (const Found found = found_at(forest_, at); slots_[at].effort == Effort::kOpening) {
            ply.move = drawn(found, settings_.opening_temperature, game.random);
        } else {
            note(ply, found, slots_[at].effort == Effort::kFull);
            if (game.resigns(static_cast<double>(found.win + found.draw / 2), settings_))
                return finish(game, End::kResigned);
            ply.move = chosen(found, game);
        }
        ++counts_.moves;
        counts_.full += ply.is_full;
        game.play(std::move(ply));
        const auto end = game.ended(settings_);
        return !end || finish(game, *end);
    }

    void note(Ply& ply, const Found& found, bool is_full) const {
        ply.win = found.win;
        ply.draw = found.draw;
        if (has_scores_) ply.score = found.score;
        ply.is_full = is_full;
        if (!is_full) return;
        ply.target = found.target;
        ply.surprise = static_cast<float>(divergence(ply.target, found.policy));
    }

    int chosen(const Found& found, Game<S>& game) const {
        if (found.best >= 0) return found.best;
        return drawn(found, temperature_at(settings_, game.moves(), game.state().cells()), game.random);
    }
    static int drawn(const Found& found, double temperature, Random& random) {
        std::vector<double> shares;
        for (const auto& [move, share] : found.target) shares.push_back(static_cast<double>(share));
        return found.target[draw(shares, temperature, random)].first;
    }

    // Any move of a position in which the search finds nothing to play: a pass, or what is legal.
    static int any_move(const Game<S>& game) {
        const S& state = game.state();
        if (S::kPassMove >= 0 && state.is_legal(S::kPassMove)) return state.to_dense(S::kPassMove);
        for (int dense = 0; dense < state.move_bound(); ++dense)
            if (game.may_play(dense)) return dense;
        throw std::logic_error("a position without legal moves is no end of its game");
    }

    bool finish(Game<S>& game, End end) {
        game.finish(end, settings_);
        return false;
    }
    void hand_over(std::size_t at) {
        ++counts_.games;
        finished_.push_back(std::move(slots_[at].game->record));
        slots_[at].game.reset();
    }

    PlaySettings settings_;
    const FeatureSet& set_;
    std::vector<Slot> slots_;
    Forest forest_;                               // tree i is of slot i; a slot gets one with its first game
    std::deque<typename Forest::Batch> waiting_;  // oldest first
    std::vector<Record> finished_;
    Counts counts_;
    std::uint64_t started_ = 0;
    bool has_scores_ = false;  // whether any answer said one
};

}  // namespace tengen::selfplay
