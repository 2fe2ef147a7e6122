#include "core/chess/learning.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#include "core/compiler.hpp"
#include "core/threads.hpp"

namespace tengen::chess {
namespace {

constexpr std::size_t kBlock = Network::kWidthStep, kSides = 2, kMostPieces = 32;
constexpr int kPieces = 2 * kKinds;

using Block = std::array<float, kBlock>;

float sum_of(Block& numbers) {
    for (std::size_t k = 0; k < kBlock / 2; ++k) numbers[k] += numbers[k + kBlock / 2];
    for (std::size_t k = 0; k < kBlock / 4; ++k) numbers[k] += numbers[k + kBlock / 4];
    float sum = 0;
    for (std::size_t k = 0; k < kBlock / 4; ++k) sum += numbers[k];
    return sum;
}

}  // namespace

Learner::Learner(int width, int king_buckets, std::span<const std::int8_t> bucket_of, int threads)
    : width_(width), king_buckets_(king_buckets), bucket_of_(bucket_of.begin(), bucket_of.end()) {
    if (width < Network::kLeastWidth || width > Network::kMostWidth || width % Network::kWidthStep)
        throw std::invalid_argument("a network of chess is 64 to 512 wide, a multiple of 32");
    const auto is_wrong = [&](std::int8_t bucket) { return bucket < 0 || bucket >= king_buckets; };
    if (king_buckets < 1 || king_buckets > Network::kMostKingBuckets || bucket_of.size() != kMostPieces ||
        std::ranges::any_of(bucket_of, is_wrong))
        throw std::invalid_argument("there are 1 to 16 king buckets, and every place of a king is in one of them");
    if (threads < 1) throw std::invalid_argument("there is one thread or more");
    block_.resize(std::min(static_cast<std::size_t>(threads), blocks()));
    for (auto& block : block_) block.resize(rows() * kBlock);
}

void Learner::forward(std::span<const std::uint8_t> boards, std::span<const std::uint8_t> sides,
                      const Arrays<const float>& of, std::span<float> logits) {
    count_ = sides.size();
    seen_.resize(count_);
    rows_.resize(count_ * kSides * kMostPieces + 4);
    clipped_.resize(blocks() * count_ * kSides * kBlock);
    answers_.resize(blocks() * count_);
    constexpr std::size_t kAtOnce = 1024;
    std::atomic<bool> is_wrong = false;
    on_threads(block_.size(), (count_ + kAtOnce - 1) / kAtOnce, [&](std::size_t part, std::size_t) {
        for (std::size_t i = part * kAtOnce, end = std::min(count_, i + kAtOnce); i < end; ++i)
            if (!see(&boards[i * kPacked], sides[i] != 0, seen_[i], &rows_[i * kSides * kMostPieces])) is_wrong = true;
    });
    if (is_wrong) {
        count_ = 0;
        throw std::invalid_argument("a board has not one king each, more than 32 pieces, or other pieces");
    }
    on_threads(block_.size(), blocks(),
               [&](std::size_t block, std::size_t thread) { forward_block(block, block_[thread].data(), of); });
    for (std::size_t i = 0; i < count_; ++i) {
        float logit = of.head_bias[seen_[i].head];
        for (std::size_t block = 0; block < blocks(); ++block) logit += answers_[block * count_ + i];
        logits[i] = logit;
    }
}

void Learner::backward(std::span<const float> slopes, const Arrays<const float>& of, const Arrays<float>& found) {
    if (slopes.size() != count_) throw std::invalid_argument("these are not the positions of the last forward");
    on_threads(block_.size(), blocks(), [&](std::size_t block, std::size_t thread) {
        backward_block(block, block_[thread].data(), slopes, of.head, found);
    });
    std::fill_n(found.head_bias, Network::kHeads, 0.0F);
    for (std::size_t i = 0; i < count_; ++i) found.head_bias[seen_[i].head] += slopes[i];
}

// The inputs of both sides, and whether it is a board.
bool Learner::see(const std::uint8_t* board, bool is_black, Seen& seen, Row* rows) const {
    std::array<std::uint8_t, kMostPieces> pieces, squares;
    std::array<int, 2> king = {kNoSquare, kNoSquare};
    std::size_t count = 0;
    for (int square = 0; square < kSquares; ++square) {
        const int number = board[square / 2] >> square % 2 * 4 & 15;
        if (number == 0) continue;
        if (number > kPieces || count == kMostPieces) return false;
        const int piece = number - 1;
        if (piece % kKinds == kKing) {
            if (king[piece >= kKinds] != kNoSquare) return false;
            king[piece >= kKinds] = square;
        }
        pieces[count] = static_cast<std::uint8_t>(piece);
        squares[count++] = static_cast<std::uint8_t>(square);
    }
    if (king[kWhite] == kNoSquare || king[kBlack] == kNoSquare) return false;
    seen = {static_cast<std::uint8_t>(count), static_cast<std::uint8_t>((count - 1) / 4)};
    for (const int side : {int{is_black}, int{!is_black}}) {
        const Square own = king[static_cast<std::size_t>(side)];
        const bool is_mirrored = Network::is_mirrored(own);
        const auto at = static_cast<std::size_t>(Network::seen_from(side, is_mirrored, own));
        const int first = Network::kInputs * bucket_of_[at / 8 * 4 + at % 8];
        for (std::size_t i = 0; i < count; ++i)
            rows[i] = static_cast<Row>(first + Network::input(side, is_mirrored, pieces[i], squares[i]));
        rows += kMostPieces;
    }
    return true;
}

void Learner::forward_block(std::size_t block, float* weights, const Arrays<const float>& of) {
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t row = 0; row < rows(); ++row)
        std::copy_n(of.features + row * width + block * kBlock, kBlock, weights + row * kBlock);
    const float* const bias = of.bias + block * kBlock;
    float* clipped = clipped_.data() + block * count_ * kSides * kBlock;
    for (std::size_t i = 0; i < count_; ++i) {
        const Row* row = &rows_[i * kSides * kMostPieces];
        Block products = {};
        for (std::size_t side = 0; side < kSides; ++side, row += kMostPieces, clipped += kBlock) {
            Block sum;
            std::copy_n(bias, kBlock, sum.data());
            std::size_t j = 0;
            for (const std::size_t pieces = seen_[i].pieces; j + 3 < pieces; j += 4) {
                for (std::size_t next = j + 4; next < j + 8; ++next) prefetch(weights + row[next] * kBlock);
                const float *const a = weights + row[j] * kBlock, *const b = weights + row[j + 1] * kBlock;
                const float *const c = weights + row[j + 2] * kBlock, *const d = weights + row[j + 3] * kBlock;
                for (std::size_t k = 0; k < kBlock; ++k) sum[k] += (a[k] + b[k]) + (c[k] + d[k]);
            }
            for (; j < seen_[i].pieces; ++j) {
                const float* const a = weights + row[j] * kBlock;
                for (std::size_t k = 0; k < kBlock; ++k) sum[k] += a[k];
            }
            const float* const head = of.head + (seen_[i].head * kSides + side) * width + block * kBlock;
            for (std::size_t k = 0; k < kBlock; ++k) {
                const float x = std::min(std::max(sum[k], 0.0F), 1.0F);
                clipped[k] = x;
                products[k] += x * x * head[k];
            }
        }
        answers_[block * count_ + i] = sum_of(products);
    }
}

void Learner::backward_block(std::size_t block, float* rows_found, std::span<const float> slopes, const float* head,
                             const Arrays<float>& found) {
    const auto width = static_cast<std::size_t>(width_);
    std::fill_n(rows_found, rows() * kBlock, 0.0F);
    Block of_bias = {};
    std::array<Block, Network::kHeads * kSides> of_head = {};
    const float* clipped = clipped_.data() + block * count_ * kSides * kBlock;
    for (std::size_t i = 0; i < count_; ++i) {
        const Row* row = &rows_[i * kSides * kMostPieces];
        for (std::size_t side = 0; side < kSides; ++side, row += kMostPieces, clipped += kBlock) {
            const std::size_t at = seen_[i].head * kSides + side;
            const float* const weights = head + at * width + block * kBlock;
            Block step;
            for (std::size_t k = 0; k < kBlock; ++k) {
                const float x = clipped[k];
                of_head[at][k] += slopes[i] * x * x;
                step[k] = x < 1 ? 2 * slopes[i] * x * weights[k] : 0.0F;
                of_bias[k] += step[k];
            }
            for (std::size_t j = 0; j < seen_[i].pieces; ++j) {
                float* const of_row = rows_found + row[j] * kBlock;
                for (std::size_t k = 0; k < kBlock; ++k) of_row[k] += step[k];
            }
        }
    }
    for (std::size_t row = 0; row < rows(); ++row)
        std::copy_n(rows_found + row * kBlock, kBlock, found.features + row * width + block * kBlock);
    std::copy_n(of_bias.data(), kBlock, found.bias + block * kBlock);
    for (std::size_t at = 0; at < of_head.size(); ++at)
        std::copy_n(of_head[at].data(), kBlock, found.head + at * width + block * kBlock);
}

}  // namespace tengen::chess
