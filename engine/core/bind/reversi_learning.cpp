// Bindings of what learning asks of Reversi: positions of games, and the network over patterns.
#include "core/reversi/learning.hpp"

#include <string>

#include "core/bind/bind.hpp"
#include "core/bind/learner_binding.hpp"
#include "core/reversi/state.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

using bind::FloatsOut;
using reversi::Learner, reversi::Sides, reversi::State;

template <class T, class Shape>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu, Shape>;
using Positions = Array<const std::uint64_t, nb::shape<-1, 2>>;

std::span<const Sides> positions_of(const Positions& positions) {
    return {reinterpret_cast<const Sides*>(positions.data()), positions.shape(0)};
}

void sides_of_games(const Array<const std::int16_t, nb::ndim<1>>& moves,
                    const Array<const std::int64_t, nb::ndim<1>>& starts,
                    const Array<std::uint64_t, nb::shape<-1, 2>>& sides) {
    const std::size_t count = moves.shape(0), games = starts.shape(0) ? starts.shape(0) - 1 : 0;
    if (sides.shape(0) != count) throw nb::value_error("there is one row of sides for each move");
    std::uint64_t* out = sides.data();
    for (std::size_t game = 0; game < games; ++game) {
        if (starts(game) < 0 || starts(game + 1) < starts(game) || static_cast<std::size_t>(starts(game + 1)) > count)
            throw nb::value_error("starts are the places of the games' moves, in order");
        State state;
        for (auto at = static_cast<std::size_t>(starts(game)); at < static_cast<std::size_t>(starts(game + 1)); ++at) {
            out[2 * at] = state.own();
            out[2 * at + 1] = state.enemy();
            if (moves(at) < 0 || moves(at) > State::kPass || state.is_terminal() || !state.is_legal(moves(at)))
                throw nb::value_error(("game " + std::to_string(game) + ", ply " +
                                       std::to_string(at - static_cast<std::size_t>(starts(game))) +
                                       ": an illegal move")
                                          .c_str());
            state.play(moves(at));
        }
    }
}

void pattern_rows(const Positions& positions, const Array<std::int32_t, nb::shape<-1, reversi::kPlaces>>& rows,
                  const Array<std::uint8_t, nb::ndim<1>>& empties) {
    if (rows.shape(0) != positions.shape(0) || empties.shape(0) != positions.shape(0))
        throw nb::value_error("there is one row and one number for each position");
    const nb::gil_scoped_release release;
    reversi::pattern_rows(positions_of(positions), rows.data(), empties.data());
}

void forward(Learner& learner, const Positions& positions, const bind::SomeFloatsIn& weights, FloatsOut<1>& values) {
    if (values.shape(0) != positions.shape(0)) throw nb::value_error("there is one value for each position");
    const auto of = bind::arrays_of<const float>(learner, weights);
    const nb::gil_scoped_release release;
    learner.forward(positions_of(positions), of, {values.data(), values.size()});
}

}  // namespace

void bind_reversi_learning(nb::module_& module) {
    module.def("reversi_sides_of_games", &sides_of_games, nb::arg("moves"), nb::arg("starts"), nb::arg("sides"),
               "Write the position before each move of games into sides, moves x 2, uint64: the discs of the side to "
               "move, the other's, a1 the lowest bit. moves: of all games, int16; starts: int64, where each game's "
               "begin, and the end. ValueError: an illegal move, with its game and ply.");
    module.def("reversi_pattern_rows", &pattern_rows, nb::arg("sides"), nb::arg("rows"), nb::arg("empties"),
               "Write which weight each place looks up into rows, n x 46, int32, and the empty cells, 60 at most, into "
               "empties, n, uint8. sides: n x 2, as `reversi_sides_of_games` has them.");
    nb::class_<Learner>(
        module, "ReversiLearner",
        "What a network over patterns says of many positions, in float32, and how that changes with its weights: vectors, "
        "weights x 16, then by phase offsets, 16, hidden, 16 x 16, hidden biases, direct and output, 16, then the bias, "
        "61. One thread at a time may use it.")
        .def(nb::init<int, int>(), nb::arg("phases"), nb::arg("threads"))
        .def("forward", &forward, nb::arg("sides"), nb::arg("weights"), nb::arg("values"),
             "Write what it says of n positions into values, in discs. sides: n x 2, as `reversi_sides_of_games` has "
             "them. ValueError: other sizes.")
        .def(
            "backward", &bind::backward<Learner>, nb::arg("slopes"), nb::arg("weights"), nb::arg("found"),
            "By how a loss changes with the last values, n, and the weights as they were then: how it changes with each "
            "weight, into found, arrays as the weights are. ValueError: other sizes.");
}

}  // namespace tengen
