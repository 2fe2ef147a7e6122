// Bindings of what learning asks of the network of chess.
#include "core/chess/learning.hpp"

#include "core/bind/bind.hpp"
#include "core/bind/floats.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

using chess::Learner, chess::Network;

template <class T, class... Axes>
using ArrayIn = nb::ndarray<const T, nb::c_contig, nb::device::cpu, Axes...>;
using Bytes = ArrayIn<std::uint8_t, nb::ndim<1>>;
using Boards = ArrayIn<std::uint8_t, nb::shape<-1, Learner::kPacked>>;
using KingBuckets = ArrayIn<std::int8_t, nb::shape<8, 4>>;
using bind::FloatsIn, bind::FloatsOut;

template <class T>
std::span<T> all_of(const nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& array) {
    return {array.data(), array.shape(0)};
}

// Throws ValueError for arrays that are not those of this network.
template <class T, class Two, class One>
Learner::Arrays<T> arrays_of(const Learner& learner, const Two& features, const One& bias, const Two& head,
                             const One& head_bias) {
    const auto width = static_cast<std::size_t>(learner.width());
    if (features.shape(0) != learner.rows() || features.shape(1) != width || bias.shape(0) != width ||
        head.shape(0) != Network::kHeads || head.shape(1) != 2 * width || head_bias.shape(0) != Network::kHeads)
        throw nb::value_error("these arrays are not of this network's size");
    return {features.data(), bias.data(), head.data(), head_bias.data()};
}

void forward(Learner& learner, const Boards& boards, const Bytes& sides, const FloatsIn<2>& features,
             const FloatsIn<1>& bias, const FloatsIn<2>& head, const FloatsIn<1>& head_bias, FloatsOut<1>& logits) {
    if (sides.shape(0) != boards.shape(0) || logits.shape(0) != boards.shape(0))
        throw nb::value_error("boards, sides and logits are not of the same number of positions");
    const auto of = arrays_of<const float>(learner, features, bias, head, head_bias);
    const nb::gil_scoped_release release;
    learner.forward({boards.data(), boards.size()}, {sides.data(), sides.size()}, of, all_of(logits));
}

void backward(Learner& learner, const FloatsIn<1>& slopes, const FloatsIn<2>& weights, FloatsOut<2>& features,
              FloatsOut<1>& bias, FloatsOut<2>& head, FloatsOut<1>& head_bias) {
    const auto found = arrays_of<float>(learner, features, bias, head, head_bias);
    if (weights.shape(0) != head.shape(0) || weights.shape(1) != head.shape(1))
        throw nb::value_error("these arrays are not of this network's size");
    const nb::gil_scoped_release release;
    learner.backward(all_of(slopes), weights.data(), found);
}

}  // namespace

void bind_chess_learning(nb::module_& module) {
    nb::class_<Learner>(
        module, "ChessLearner",
        "What a network of chess says of many positions, in float32, and how that changes with its weights. The arrays "
        "are features, rows x width, with 768 rows for each king bucket, bias, head, 8 x 2 width, the side to move "
        "first, and head_bias, 8. One thread at a time may use it.")
        .def(
            "__init__",
            [](Learner* self, int width, int king_buckets, const KingBuckets& bucket_of, int threads) {
                new (self) Learner(width, king_buckets, {bucket_of.data(), bucket_of.size()}, threads);
            },
            nb::arg("width"), nb::arg("king_buckets"), nb::arg("bucket_of"), nb::arg("threads"),
            "bucket_of: 8 x 4, int8, of a king by its rank and its file, a to d, as its side sees it. ValueError.")
        .def("forward", &forward, nb::arg("boards"), nb::arg("sides"), nb::arg("features"), nb::arg("bias"),
             nb::arg("head"), nb::arg("head_bias"), nb::arg("logits"),
             "Write what it says of n positions into logits. boards: n x 32, two squares a byte, a1 in the lower four "
             "bits of the first; sides: n, 1 where Black is to move. ValueError: other sizes, a board without one king "
             "each or with more than 32 pieces.")
        .def("backward", &backward, nb::arg("slopes"), nb::arg("weights"), nb::arg("features"), nb::arg("bias"),
             nb::arg("head"), nb::arg("head_bias"),
             "By how a loss changes with the last logits, n, and the weights of the head as they were then: how it "
             "changes with each weight, into the other arrays. ValueError: other sizes.");
}

}  // namespace tengen
