#include "core/chess/network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tengen::chess {
namespace {

using Number = Network::Number;

constexpr int kBlock = 256;  // numbers whose products surely fit 32 bits in sum

static_assert(Network::kOne * Network::kMostHeadWeight <= std::numeric_limits<std::int16_t>::max());
static_assert(static_cast<std::int64_t>(Network::kOne) * Network::kOne * Network::kMostHeadWeight * kBlock <=
              std::numeric_limits<std::int32_t>::max());

// Sum of clamp(x, 0, 1)^2 * head (squared clipped ReLU). Written so that compilers find instructions for sums of products of 16 bits.
std::int64_t screlu_dot(const Number* sums, const Number* head, int width) {
    std::int64_t out = 0;
    for (int begin = 0; begin < width; begin += kBlock) {
        std::int32_t block = 0;
        for (int i = begin, end = std::min(width, begin + kBlock); i < end; ++i) {
            Number x = sums[i];
            x = x < 0 ? Number{0} : x;
            x = x > Network::kOne ? Number{Network::kOne} : x;
            const auto weighed = static_cast<Number>(x * head[i]);
            block += weighed * x;
        }
        out += block;
    }
    return out;
}

}  // namespace

Network::Network(std::shared_ptr<const Weights> weights) : weights_(std::move(weights)) {
    const auto bias = weights_->get<Number>("features.bias", {-1});
    const auto width = static_cast<std::int64_t>(bias.size());
    if (width < kLeastWidth || width > kMostWidth || width % kWidthStep)
        throw std::invalid_argument("a network of chess is 64 to 512 wide, a multiple of 32");
    width_ = static_cast<int>(width);
    bias_ = bias.data();
    const auto features = weights_->get<Number>("features.weight", {-1, width});
    const std::size_t inputs = features.size() / static_cast<std::size_t>(width);
    if (inputs == 0 || inputs % kInputs || inputs > kMostKingBuckets * kInputs)
        throw std::invalid_argument("a network of chess has 768 inputs for each of 1 to 16 king buckets");
    king_buckets_ = static_cast<int>(inputs) / kInputs;
    features_ = features.data();
    if (king_buckets_ > 1) read_king_buckets();
    head_ = weights_->get<Number>("head.weight", {kHeads, 2, width}).data();
    head_bias_ = weights_->get<std::int32_t>("head.bias", {kHeads}).data();
    check_sums();
}

std::shared_ptr<const Network> Network::of(const std::shared_ptr<const Weights>& weights) {
    return weights ? std::make_shared<const Network>(weights) : nullptr;
}

void Network::read_king_buckets() {
    const auto buckets = weights_->get<std::int8_t>("king.buckets", {8, 4});
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        if (buckets[i] < 0 || buckets[i] >= king_buckets_)
            throw std::invalid_argument("a king's bucket is none of those that have weights");
        bucket_of_[i / 4 * 8 + i % 4] = static_cast<std::uint8_t>(buckets[i]);
    }
}

// With 32 pieces that weigh most, and whatever is subtracted first.
void Network::check_sums() const {
    for (int i = 0; i < width_; ++i) {
        int most = 0;
        for (int input = 0; input < king_buckets_ * kInputs; ++input)
            most = std::max(most, std::abs(int(features_[input * width_ + i])));
        if (std::abs(int(bias_[i])) + 32 * most > std::numeric_limits<Number>::max())
            throw std::invalid_argument("weights are so large that a sum could overflow");
    }
    const auto is_large = [](Number weight) { return std::abs(int(weight)) > kMostHeadWeight; };
    if (std::any_of(head_, head_ + kHeads * 2 * width_, is_large))
        throw std::invalid_argument("a weight of the head is beyond 127");
    constexpr int kMostBias = kOne * kHeadOne * 100;
    if (std::any_of(head_bias_, head_bias_ + kHeads,
                    [](std::int32_t bias) { return bias > kMostBias || bias < -kMostBias; }))
        throw std::invalid_argument("a bias of the head is beyond 100");
}

int Network::answer(const Number* own, const Number* other, int pieces) const {
    const int head = std::clamp((pieces - 1) / 4, 0, kHeads - 1);
    const Number* weights = head_ + static_cast<std::ptrdiff_t>(head) * 2 * width_;
    const std::int64_t sum = screlu_dot(own, weights, width_) + screlu_dot(other, weights + width_, width_);
    return static_cast<int>((sum / kOne + head_bias_[head]) * kCentipawns / (kOne * kHeadOne));
}

void NetworkEvaluation::start(const Board& board) {
    top_ = 0;
    steps_.assign(1, {});
    accumulators_.resize(1);
    known_.assign(static_cast<std::size_t>(2 * network_->views()), {});
    for (Known& known : known_) std::copy_n(network_->bias(), network_->width(), known.numbers.data());
    for (int side = 0; side < 2; ++side) {
        steps_[0].view[static_cast<std::size_t>(side)] = network_->view(side, board.king(side));
        refresh(board, side);
    }
}

void NetworkEvaluation::push(const Change& change) {
    if (++top_ == steps_.size()) {
        steps_.emplace_back();
        accumulators_.emplace_back();
    }
    Step& step = steps_[top_];
    step.change = change;
    step.is_known = {};
    step.view = steps_[top_ - 1].view;
    for (int i = 0; i < change.come_count; ++i) {
        const auto& one = change.come[static_cast<std::size_t>(i)];
        if (kind_of(one.piece) != kKing) continue;
        const int side = colour_of(one.piece);
        step.view[static_cast<std::size_t>(side)] = network_->view(side, one.square);
    }
}

int NetworkEvaluation::evaluate(const Board& board) {
    update(board, kWhite);
    update(board, kBlack);
    const int own = board.to_move();
    return network_->answer(accumulator(top_, own), accumulator(top_, own ^ 1), count(board.all()));
}

void NetworkEvaluation::update(const Board& board, int side) {
    const auto of = static_cast<std::size_t>(side);
    if (steps_[top_].is_known[of]) return;
    std::size_t known = top_;
    while (known > 0 && !steps_[known].is_known[of]) {
        if (steps_[known].view[of] != steps_[known - 1].view[of]) {  // all is seen another way
            refresh(board, side);
            return;
        }
        --known;
    }
    while (known < top_) {
        apply(++known, side);
        steps_[known].is_known[of] = true;
    }
}

// The accumulator of one side at the top, from the last position that was seen the same way.
void NetworkEvaluation::refresh(const Board& board, int side) {
    const auto of = static_cast<std::size_t>(side);
    const Network::View view = steps_[top_].view[of];
    Known& known = known_[of * static_cast<std::size_t>(network_->views()) + view];
    const int width = network_->width();
    Number* const numbers = known.numbers.data();
    for (int piece = 0; piece < 2 * kKinds; ++piece) {
        Bits& then = known.pieces[static_cast<std::size_t>(piece)];
        const auto own = static_cast<Piece>(piece);
        const Bits now = board.of(colour_of(own), kind_of(own));
        for (Bits come = now & ~then; come;) {
            const Number* row = network_->row(side, view, own, take_lowest(come));
            for (int i = 0; i < width; ++i) numbers[i] = static_cast<Number>(numbers[i] + row[i]);
        }
        for (Bits gone = then & ~now; gone;) {
            const Number* row = network_->row(side, view, own, take_lowest(gone));
            for (int i = 0; i < width; ++i) numbers[i] = static_cast<Number>(numbers[i] - row[i]);
        }
        then = now;
    }
    std::copy_n(numbers, width, accumulator(top_, side));
    steps_[top_].is_known[of] = true;
}

void NetworkEvaluation::apply(std::size_t to, int side) {
    const Step& step = steps_[to];
    const Change& change = step.change;
    const Network::View view = step.view[static_cast<std::size_t>(side)];
    const auto row = [&](const Change::One& one) { return network_->row(side, view, one.piece, one.square); };
    const Number* before = accumulator(to - 1, side);
    Number* after = accumulator(to, side);
    const int width = network_->width();
    if (change.gone_count == 1) {
        const Number *gone = row(change.gone[0]), *come = row(change.come[0]);
        for (int i = 0; i < width; ++i) after[i] = static_cast<Number>(before[i] - gone[i] + come[i]);
    } else if (change.gone_count == 2 && change.come_count == 1) {
        const Number *gone = row(change.gone[0]), *taken = row(change.gone[1]), *come = row(change.come[0]);
        for (int i = 0; i < width; ++i) after[i] = static_cast<Number>(before[i] - gone[i] - taken[i] + come[i]);
    } else if (change.gone_count == 2) {
        const Number *gone = row(change.gone[0]), *other = row(change.gone[1]);
        const Number *come = row(change.come[0]), *beside = row(change.come[1]);
        for (int i = 0; i < width; ++i)
            after[i] = static_cast<Number>(before[i] - gone[i] - other[i] + come[i] + beside[i]);
    } else {  // nothing was done
        std::copy_n(before, width, after);
    }
}

}  // namespace tengen::chess
