// What learning asks of the network of chess, in floats: what it says of many positions, and how that changes with every
// weight. `network.hpp` describes the network, `nets/chess_network.py` is the same in torch.
//
// Threads share the units in blocks: the weights of a block, or what is found for them, stay in a core's own cache, no two
// threads write to the same numbers, and the results do not depend on how many threads there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/chess/network.hpp"

namespace tengen::chess {

class Learner {
public:
    static constexpr std::size_t kPacked =
        32;  // bytes of a position: two squares each, a1 in the lower half of the first

    // One array for each of the network's, without gaps. features: 768 b x width for b king buckets; bias: width; head: 8 x 2 x
    // width, the side to move first; head_bias: 8.
    template <class T>
    struct Arrays {
        T *features, *bias, *head, *head_bias;
    };

    // bucket_of: 32 numbers from 0 to king_buckets - 1, the bucket of a king by its rank and its file, a to d. Throws
    // std::invalid_argument for what `Network` does not compute.
    Learner(int width, int king_buckets, std::span<const std::int8_t> bucket_of, int threads);

    std::size_t rows() const { return static_cast<std::size_t>(king_buckets_) * Network::kInputs; }

    // How many numbers each of them has, in this order.
    std::array<std::size_t, 4> sizes() const {
        const auto width = static_cast<std::size_t>(width_);
        return {rows() * width, width, Network::kHeads * 2 * width, Network::kHeads};
    }

    // The logits of n positions, into `logits`. boards: n x kPacked, pieces 1 to 6 White's, 7 to 12 Black's; sides: n, 1
    // where Black is to move. Throws std::invalid_argument for a board without a king on each side, with more than 32
    // pieces or with others.
    void forward(std::span<const std::uint8_t> boards, std::span<const std::uint8_t> sides,
                 const Arrays<const float>& of, std::span<float> logits);
    // By how a loss changes with the logits of the last `forward`: how it changes with each weight, into `found`. of: as
    // then. Throws std::invalid_argument for another number of positions.
    void backward(std::span<const float> slopes, const Arrays<const float>& of, const Arrays<float>& found);

private:
    using Row = std::uint16_t;
    struct Seen {
        std::uint8_t pieces, head;
    };

    std::size_t blocks() const { return static_cast<std::size_t>(width_ / Network::kWidthStep); }
    bool see(const std::uint8_t* board, bool is_black, Seen& seen, Row* rows) const;
    void forward_block(std::size_t block, float* weights, const Arrays<const float>& of);
    void backward_block(std::size_t block, float* rows_found, std::span<const float> slopes, const float* head,
                        const Arrays<float>& found);

    int width_, king_buckets_;
    std::vector<std::int8_t> bucket_of_;
    std::size_t count_ = 0;
    std::vector<Seen> seen_;
    std::vector<Row> rows_;                  // of each position: 32 of the side to move, 32 of the other
    std::vector<float> clipped_;             // of each block, position and side: sums, clipped to 0..1
    std::vector<float> answers_;             // of each block and position: its part of the logit
    std::vector<std::vector<float>> block_;  // of each thread: the weights of a block, or what is found for them
};

}  // namespace tengen::chess
