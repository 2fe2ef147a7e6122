// tengen-core-check: the core without Python, for systems that have none here (.ci/foreign). It reads work from standard
// input, words between spaces, and prints what each piece found. core_check.py writes the work and judges the answers.
//
//   perft POSITION DEPTH                          leaves
//   weights GAME FILE COUNT ARRAY...              nothing; ARRAY: NAME TYPE BEGIN END AXES SIDE...
//   search GAME EVALUATOR POSITION FACTS OPTIONS DEPTH PLAYOUTS    nodes, then a line a move: MOVE VISITS PV...
//   clock MILLISECONDS THREADS                    milliseconds of a search that the clock ends, of one that is stopped
//
// POSITION begins with the game's name: positions.hpp. FACTS: keys of the game so far, then last moves; a count first.
// OPTIONS: NAME VALUE..., a count first. Every answer ends with a line "done".
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/chess/alphabeta.hpp"
#include "core/chess/perft.hpp"
#include "core/go/family.hpp"
#include "core/gomoku/alphabeta.hpp"
#include "core/reversi/alphabeta.hpp"
#include "core/reversi/perft.hpp"
#include "core/search/native.hpp"
#include "positions.hpp"

namespace {

using namespace tengen;
using check::read;
using check::read_list;
using Loaded = std::map<std::string, std::shared_ptr<const Weights>>;

template <class State>
std::uint64_t perft(const State& state, int depth) {
    if (depth == 0 || state.is_terminal()) return 1;
    std::uint64_t leaves = 0;
    for (int dense = 0; dense < state.move_bound(); ++dense) {
        const int move = state.from_dense(dense);
        if (!state.is_legal(move)) continue;
        State next = state;
        next.play(move);
        leaves += perft(next, depth - 1);
    }
    return leaves;
}
std::uint64_t perft(const chess::State& state, int depth) { return chess::perft(state.board(), depth, true); }
std::uint64_t perft(const reversi::State& state, int depth) {
    return static_cast<std::uint64_t>(reversi::perft(state.own(), state.enemy(), depth));
}

std::shared_ptr<const Weights> read_weights(const std::string& name, std::istream& in) {
    const auto path = read<std::string>(in);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<Weights::Entry> entries(read<std::size_t>(in));
    for (Weights::Entry& entry : entries) {
        entry.name = read<std::string>(in);
        entry.type = check::named(read<std::string>(in), {"f32", "i32", "i16", "i8"}, Weights::Type{});
        entry.begin = read<std::size_t>(in);
        entry.end = read<std::size_t>(in);
        entry.shape = read_list<std::int64_t>(in);
    }
    return std::make_shared<Weights>(name, "", std::move(entries), std::as_bytes(std::span(data)));
}

template <class Family>
void search(const std::string& evaluator, const std::shared_ptr<const Weights>& weights, std::istream& in) {
    search::NativeSearch<Family> native(evaluator, weights);
    read<std::string>(in);  // the game's name, which chose the family
    const auto root = check::position<typename Family::Root>(in);
    search::RootFacts facts;
    facts.seen = read_list<std::uint64_t>(in);
    facts.recent = read_list<int>(in);
    for (auto left = read<std::size_t>(in); left; --left) {
        const auto name = read<std::string>(in);
        native.set(name, read<double>(in));
    }
    search::Bounds bounds;
    bounds.depth = read<int>(in);
    bounds.playouts = read<std::uint64_t>(in);
    native.run(root, facts, bounds, search::StopToken());
    const search::Report report = native.report(0, false);
    std::cout << report.nodes << '\n';
    for (const search::Line& line : report.lines) {
        std::cout << line.move << ' ' << line.visits;
        for (const int move : line.pv) std::cout << ' ' << move;
        std::cout << '\n';
    }
}

// Milliseconds of one search of Go's first position.
template <class Stopping>
long long timed(search::NativeSearch<go::GoFamily>& native, double seconds, const Stopping& stopping) {
    const go::GoFamily::Root root(9, 9, {}, 7);
    search::Bounds bounds;
    bounds.seconds = seconds;
    search::StopToken stop;
    const auto begin = std::chrono::steady_clock::now();
    std::thread other([&] { stopping(stop); });
    native.run(root, {}, bounds, stop);
    const auto end = std::chrono::steady_clock::now();
    other.join();
    return std::chrono::duration_cast<std::chrono::milliseconds>(end - begin).count();
}

void clock(std::istream& in) {
    const auto milliseconds = read<int>(in);
    search::NativeSearch<go::GoFamily> native("tactical");
    native.set("threads", read<double>(in));
    const long long by_clock = timed(native, milliseconds / 1000.0, [](search::StopToken&) {});
    native.clear();
    const long long stopped = timed(native, 0, [milliseconds](search::StopToken& stop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        stop.stop();
    });
    std::cout << by_clock << ' ' << stopped << '\n';
}

void answer(const std::string& word, Loaded& loaded, std::istream& in) {
    if (word == "perft") {
        check::with_position(in, [&](const auto& state) { std::cout << perft(state, read<int>(in)) << '\n'; });
    } else if (word == "weights") {
        const auto game = read<std::string>(in);
        loaded[game] = read_weights(game, in);
    } else if (word == "clock") {
        clock(in);
    } else if (word == "search") {
        const auto game = read<std::string>(in), evaluator = read<std::string>(in);
        if (game == "chess") search<chess::AlphaBetaFamily>(evaluator, loaded[game], in);
        if (game == "reversi") search<reversi::AlphaBetaFamily>(evaluator, loaded[game], in);
        if (game == "gomoku") search<gomoku::AlphaBetaFamily>(evaluator, loaded[game], in);
        if (game == "go") search<go::GoFamily>(evaluator, nullptr, in);
    } else {
        throw std::runtime_error("no work is called " + word);
    }
}

}  // namespace

int main() {
    Loaded loaded;
    try {
        for (std::string word; std::cin >> word;) {
            answer(word, loaded, std::cin);
            std::cout << "done" << std::endl;
        }
    } catch (const std::exception& error) {
        std::cout << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
