// Bindings of what learning asks of the network of chess.
#include "core/chess/learning.hpp"

#include "core/bind/bind.hpp"
#include "core/bind/learner_binding.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

using chess::Learner;

template <class T, class... Axes>
using ArrayIn = nb::ndarray<const T, nb::c_contig, nb::device::cpu, Axes...>;
using Bytes = ArrayIn<std::uint8_t, nb::ndim<1>>;
using Boards = ArrayIn<std::uint8_t, nb::shape<-1, Learner::kPacked>>;
using KingBuckets = ArrayIn<std::int8_t, nb::shape<8, 4>>;
using bind::FloatsOut;

void forward(Learner& learner, const Boards& boards, const Bytes& sides, const bind::SomeFloatsIn& weights,
             FloatsOut<1>& logits) {
    if (sides.shape(0) != boards.shape(0) || logits.shape(0) != boards.shape(0))
        throw nb::value_error("boards, sides and logits are not of the same number of positions");
    const auto of = bind::arrays_of<const float>(learner, weights);
    const nb::gil_scoped_release release;
    learner.forward({boards.data(), boards.size()}, {sides.data(), sides.size()}, of, {logits.data(), logits.size()});
}

}  // namespace

void bind_chess_learning(nb::module_& module) {
    nb::class_<Learner>(
        module, "ChessLearner",
        "What a network of chess says of many positions, in float32, and how that changes with its weights: features, "
        "rows x width, with 768 rows for each king bucket, bias, width, head, 8 x 2 width, the side to move first, and "
        "head bias, 8. One thread at a time may use it.")
        .def(
            "__init__",
            [](Learner* self, int width, int king_buckets, const KingBuckets& bucket_of, int threads) {
                new (self) Learner(width, king_buckets, {bucket_of.data(), bucket_of.size()}, threads);
            },
            nb::arg("width"), nb::arg("king_buckets"), nb::arg("bucket_of"), nb::arg("threads"),
            "bucket_of: 8 x 4, int8, of a king by its rank and its file, a to d, as its side sees it. ValueError.")
        .def("forward", &forward, nb::arg("boards"), nb::arg("sides"), nb::arg("weights"), nb::arg("logits"),
             "Write what it says of n positions into logits. boards: n x 32, two squares a byte, a1 in the lower four "
             "bits of the first; sides: n, 1 where Black is to move. ValueError: other sizes, a board without one king "
             "each or with more than 32 pieces.")
        .def(
            "backward", &bind::backward<Learner>, nb::arg("slopes"), nb::arg("weights"), nb::arg("found"),
            "By how a loss changes with the last logits, n, and the weights as they were then: how it changes with each "
            "weight, into found, arrays as the weights are. ValueError: other sizes.");
}

}  // namespace tengen
