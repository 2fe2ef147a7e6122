// A small network over pieces and squares that is updated from move to move (NNUE, Nasu 2018), in whole numbers.
//
// Each side sees the board its own way: squares from its own first rank, mirrored so that its king stands on the files a
// to d. Of what it sees (kind of piece, own or the enemy's, square: 768 inputs) the rows of a matrix are added up: its
// accumulator. There may be several such matrices, for parts of the board where its king stands (king buckets). Both
// accumulators, of who is to move first, are clamped, squared (squared clipped ReLU) and multiplied by the head for so
// many pieces.
// `nets/chess_network.py` is the same in torch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/chess/board.hpp"
#include "core/weights.hpp"

namespace tengen::chess {

class Network {
public:
    static constexpr int kInputs = 12 * kSquares, kHeads = 8;
    static constexpr int kMostKingBuckets = 16;
    static constexpr int kLeastWidth = 64, kMostWidth = 512, kWidthStep = 32;
    static constexpr int kOne = 255, kHeadOne = 64;  // units of sums and of the head's weights to 1
    static constexpr int kCentipawns = 400;          // to 1 of what comes out
    static constexpr int kMostHeadWeight = 127;      // times kOne it fits 16 bits

    using Number = std::int16_t;
    // How a side sees the board: twice the bucket of its king, and 1 more where it sees files the other way round.
    using View = std::uint8_t;

    // Arrays: "features.weight" i16 [768 b, width] for b king buckets, "features.bias" i16 [width], "head.weight" i16 [8, 2,
    // width], "head.bias" i32 [8] in 1/(kOne kHeadOne), and if b is more than 1, "king.buckets" i8 [8, 4]: the bucket of a
    // king by its rank and its file, 0 to b - 1. Throws std::invalid_argument for others, and for numbers with which a sum
    // could leave its type.
    explicit Network(std::shared_ptr<const Weights> weights);
    // The same, for settings; nothing of nothing.
    static std::shared_ptr<const Network> of(const std::shared_ptr<const Weights>& weights);

    int width() const { return width_; }
    std::size_t bytes() const { return weights_->bytes(); }

    // How many views there are.
    int views() const { return 2 * king_buckets_; }
    View view(int side, Square king) const {
        const bool mirrored = is_mirrored(king);
        const Square seen = seen_from(side, mirrored, king);
        return static_cast<View>(2 * bucket_of_[static_cast<std::size_t>(seen)] + mirrored);
    }
    // What a side sees of a piece, 0 to kInputs - 1.
    static int input(int side, bool is_mirrored, Piece piece, Square square) {
        const int kind = kind_of(piece) + (colour_of(piece) == side ? 0 : static_cast<int>(kKinds));
        return kind * kSquares + seen_from(side, is_mirrored, square);
    }
    static Square seen_from(int side, bool is_mirrored, Square square) {
        return square ^ (side == kWhite ? 0 : 56) ^ (is_mirrored ? 7 : 0);
    }
    static bool is_mirrored(Square king) { return file_of(king) >= 4; }
    const Number* row(int side, View view, Piece piece, Square square) const {
        return features_ +
               static_cast<std::ptrdiff_t>((view >> 1) * kInputs + input(side, view & 1, piece, square)) * width_;
    }
    const Number* bias() const { return bias_; }
    // In centipawns for the side to move, by its accumulator, the other side's, and how many pieces there are.
    int answer(const Number* own, const Number* other, int pieces) const;

private:
    void read_king_buckets();
    void check_sums() const;

    std::shared_ptr<const Weights> weights_;
    int width_ = 0, king_buckets_ = 1;
    std::array<std::uint8_t, kSquares> bucket_of_{};  // by the king's square as its side sees it, files a to d
    const Number *features_ = nullptr, *bias_ = nullptr, *head_ = nullptr;
    const std::int32_t* head_bias_ = nullptr;
};

// The network along a line of play: accumulators are kept for each ply, and updated when the evaluation is asked. Where a
// king has changed its side's view all inputs change; then what differs from the last position of that view is added up.
class NetworkEvaluation {
public:
    explicit NetworkEvaluation(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

    void start(const Board& board);
    void push(const Change& change);
    void pop() { --top_; }
    int evaluate(const Board& board);

private:
    struct alignas(64) Accumulator {
        std::array<std::array<Network::Number, Network::kMostWidth>, 2> of;
    };
    struct Step {
        Change change;
        std::array<bool, 2> is_known{};
        std::array<Network::View, 2> view{};
    };

    // Of one side and view: the accumulator of a position, and where its pieces were.
    struct alignas(64) Known {
        std::array<Network::Number, Network::kMostWidth> numbers;
        std::array<Bits, 2 * kKinds> pieces{};
    };

    void update(const Board& board, int side);
    void refresh(const Board& board, int side);
    void apply(std::size_t to, int side);
    Network::Number* accumulator(std::size_t at, int side) {
        return accumulators_[at].of[static_cast<std::size_t>(side)].data();
    }

    std::shared_ptr<const Network> network_;
    std::vector<Step> steps_;
    std::vector<Accumulator> accumulators_;
    std::vector<Known> known_;  // by side and view: side * views + view
    std::size_t top_ = 0;
};

}  // namespace tengen::chess
