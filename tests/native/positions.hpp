// Positions as words, for tengen-core-check. Each begins with the game's name:
//
//   chess PIECES TO_MOVE CASTLING EN_PASSANT HALFMOVE FULLMOVE   PIECES: 64 letters from a1, "." or PNBRQKpnbrqk;
//                                                                CASTLING: four squares as ChessState.setup has them
//   reversi BLACK WHITE TO_MOVE                                  sets of cells
//   gomoku WIDTH HEIGHT RULE MOVES                               MOVES: dense, a count first
//   go WIDTH HEIGHT KO SCORING TAX SUICIDE KOMI MOVES
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <istream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/chess/state.hpp"
#include "core/go/state.hpp"
#include "core/gomoku/state.hpp"
#include "core/reversi/state.hpp"

namespace tengen::check {

template <class T>
T read(std::istream& in) {
    T out{};
    if (!(in >> out)) throw std::runtime_error("the work is cut short, or a word is no number");
    return out;
}

template <class T>
std::vector<T> read_list(std::istream& in) {
    std::vector<T> out(read<std::size_t>(in));
    for (T& one : out) one = read<T>(in);
    return out;
}

// The value of an enumeration by its place among the names.
template <class T>
T named(std::string_view name, std::span<const char* const> names, T) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw std::runtime_error("an unknown name: " + std::string(name));
    return static_cast<T>(at - names.begin());
}
template <class T>
T named(std::string_view name, std::initializer_list<const char*> names, T kind) {
    return named(name, std::span<const char* const>(names.begin(), names.size()), kind);
}

template <class State>
void play(State& state, std::istream& in) {
    for (const int dense : read_list<int>(in)) {
        const int move = state.from_dense(dense);
        if (!state.is_legal(move)) throw std::runtime_error("an illegal move");
        state.play(move);
    }
}

template <class State>
State position(std::istream& in) = delete;

template <>
inline chess::State position(std::istream& in) {
    constexpr std::string_view kLetters = "PNBRQKpnbrqk";
    const auto pieces = read<std::string>(in);
    if (pieces.size() != chess::kSquares) throw std::runtime_error("not 64 squares");
    chess::Board board = chess::Board::empty(false);
    for (chess::Square square = 0; square < chess::kSquares; ++square) {
        const auto piece = kLetters.find(pieces[static_cast<std::size_t>(square)]);
        if (piece != kLetters.npos) board.put(static_cast<chess::Piece>(piece), square);
    }
    const int to_move = read<int>(in);
    std::array<int, 4> castling;
    for (int& rook : castling) rook = read<int>(in);
    const int en_passant = read<int>(in), halfmove = read<int>(in), fullmove = read<int>(in);
    board.set_to_move(to_move);
    board.finish(to_move, castling, en_passant, halfmove, fullmove);
    return chess::State(board);
}

template <>
inline reversi::State position(std::istream& in) {
    const auto black = read<reversi::Bits>(in), white = read<reversi::Bits>(in);
    return {black, white, read<int>(in)};
}

template <>
inline gomoku::State<gomoku::kLargest> position(std::istream& in) {
    const int width = read<int>(in), height = read<int>(in);
    const auto rule = named(read<std::string>(in), gomoku::kRuleNames, gomoku::Rule{});
    gomoku::State<gomoku::kLargest> state(width, height, rule);
    play(state, in);
    return state;
}

template <>
inline go::State<go::kMaxSize> position(std::istream& in) {
    const int width = read<int>(in), height = read<int>(in);
    go::Rules rules;
    rules.ko = named(read<std::string>(in), {"simple", "positional", "situational"}, go::Ko{});
    rules.scoring = named(read<std::string>(in), {"area", "territory"}, go::Scoring{});
    rules.tax = named(read<std::string>(in), {"none", "seki", "all"}, go::Tax{});
    rules.suicide = read<int>(in) != 0;
    go::State<go::kMaxSize> state(width, height, rules, read<float>(in));
    play(state, in);
    return state;
}

// Call what(state) with the position of the game that is named.
template <class What>
void with_position(std::istream& in, const What& what) {
    const auto game = read<std::string>(in);
    if (game == "chess") return what(position<chess::State>(in));
    if (game == "reversi") return what(position<reversi::State>(in));
    if (game == "gomoku") return what(position<gomoku::State<gomoku::kLargest>>(in));
    if (game == "go") return what(position<go::State<go::kMaxSize>>(in));
    throw std::runtime_error("no game is called " + game);
}

}  // namespace tengen::check
