// What pieces are worth on their squares, in the middle game and in the ending, weighed by how many are left (tapered).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/chess/board.hpp"

namespace tengen::chess {

struct Tapered {
    int middle = 0, end = 0;
    Tapered& operator+=(const Tapered& other) {
        middle += other.middle;
        end += other.end;
        return *this;
    }
    Tapered& operator-=(const Tapered& other) {
        middle -= other.middle;
        end -= other.end;
        return *this;
    }
};

// For White, by kind and square, in centipawns; Black's are mirrored.
Tapered table_worth(int kind, Square square);

// By piece and square, signed for White.
using PieceTables = std::array<std::array<Tapered, kSquares>, 12>;
const PieceTables& piece_tables();

inline constexpr std::array<int, kKinds> kPhases{0, 1, 1, 2, 4, 0};
inline constexpr int kFullPhase = 24, kTempo = 5;

class TablesEvaluation {
public:
    void start(const Board& board) {
        sums_.assign(1, {});
        for (Bits rest = board.all(); rest;) {
            const Square square = take_lowest(rest);
            add(sums_.back(), board.at(square), square, 1);
        }
    }
    void push(const Change& change) {
        Sum next = sums_.back();
        for (int i = 0; i < change.gone_count; ++i) {
            const auto& one = change.gone[static_cast<std::size_t>(i)];
            add(next, one.piece, one.square, -1);
        }
        for (int i = 0; i < change.come_count; ++i) {
            const auto& one = change.come[static_cast<std::size_t>(i)];
            add(next, one.piece, one.square, 1);
        }
        sums_.push_back(next);
    }
    void pop() { sums_.pop_back(); }
    int evaluate(const Board& board) const {
        const Sum& sum = sums_.back();
        const int phase = sum.phase < kFullPhase ? sum.phase : kFullPhase;
        const int white = (sum.worth.middle * phase + sum.worth.end * (kFullPhase - phase)) / kFullPhase;
        return (board.to_move() == kWhite ? white : -white) + kTempo;
    }

private:
    struct Sum {
        Tapered worth;
        int phase = 0;
    };
    static void add(Sum& sum, Piece piece, Square square, int sign) {
        const Tapered& worth = piece_tables()[piece][static_cast<std::size_t>(square)];
        sum.worth.middle += sign * worth.middle;
        sum.worth.end += sign * worth.end;
        sum.phase += sign * kPhases[static_cast<std::size_t>(kind_of(piece))];
    }

    std::vector<Sum> sums_;
};

}  // namespace tengen::chess
