// Rows to learn from, for Python, one function a feature set: bind_rows<GoState, KataV7>(module) makes
// `encode_rows_go_katago_v7`. `S` is the state that Python has; a copy of it on a smaller capacity is used where there is one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/bind/floats.hpp"
#include "core/row.hpp"

namespace tengen::bind {

template <class T>
using NumbersIn = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// What Python asks for, an entry a row.
template <class S, class F>
struct RowsAsked {
    const std::vector<const S*>& starts;
    const NumbersIn<std::int16_t>& moves;
    const NumbersIn<std::int64_t>& offsets;
    const NumbersIn<std::int32_t>&plies, &symmetries;
    const NumbersIn<bool>& has_history;
    const FloatsOut<4>& planes;
    const std::optional<FloatsOut<2>>& numbers;
    const std::vector<typename FactsOf<F>::type>& facts;

    std::size_t size() const { return starts.size(); }

    // Throws ValueError for what does not fit together.
    void check() const {
        const FeatureSet& set = F::set();
        const std::size_t rows = size();
        if (offsets.shape(0) != rows + 1 || plies.shape(0) != rows || symmetries.shape(0) != rows ||
            has_history.shape(0) != rows || (!facts.empty() && facts.size() != rows))
            throw nanobind::value_error("there is one of everything a row, and one offset more");
        if (planes.shape(0) != rows || planes.shape(1) != set.planes.size() ||
            (set.globals.empty() ? numbers.has_value() : !numbers || numbers->shape(0) != rows || numbers->shape(1) != set.globals.size()))
            throw nanobind::value_error("the planes or numbers do not fit the features");
        for (std::size_t i = 0; i < rows; ++i) check_row(i);
    }

    RowAsked row(std::size_t i) const {
        return {{moves.data() + offsets.data()[i], moves.data() + offsets.data()[i + 1]},
                plies.data()[i],
                symmetries.data()[i],
                has_history.data()[i]};
    }
    float* planes_at(std::size_t i) const { return planes.data() + i * planes.shape(1) * planes.shape(2) * planes.shape(3); }
    float* numbers_at(std::size_t i) const { return numbers ? numbers->data() + i * numbers->shape(1) : nullptr; }

private:
    void check_row(std::size_t i) const {
        const auto fail = [i](const char* what) { throw nanobind::value_error(("game " + std::to_string(i) + what).c_str()); };
        if (!starts[i]) fail(" has no start");
        const int width = starts[i]->width(), height = starts[i]->height();
        const std::int64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > moves.shape(0)) fail(": its moves are not there");
        if (plies.data()[i] < 0 || plies.data()[i] > end - begin) fail((" has no ply " + std::to_string(plies.data()[i])).c_str());
        if (static_cast<std::size_t>(height) != planes.shape(2) || static_cast<std::size_t>(width) != planes.shape(3))
            fail(": the board is of another size than the planes");
        if (symmetries.data()[i] < 0 || symmetries.data()[i] >= F::set().symmetries(width, height)) fail(": no symmetry of this board");
    }
};

// Encodes all rows that can be and says which game is illegal first: "" for none.
template <class S, class F>
std::string encode_rows(const RowsAsked<S, F>& asked) {
    std::string error;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const RowAsked row = asked.row(i);
        int illegal = -1;
        const auto make = [&](const auto& start) {
            const typename FactsOf<F>::type facts = asked.facts.empty() ? typename FactsOf<F>::type() : asked.facts[i];
            illegal = RowMaker<F, std::decay_t<decltype(start)>>(start, row).make(facts, asked.planes_at(i), asked.numbers_at(i));
        };
        if constexpr (requires { on_smallest(*asked.starts[i], make); })
            on_smallest(*asked.starts[i], make);
        else
            make(*asked.starts[i]);
        if (illegal >= 0 && error.empty())
            error = "game " + std::to_string(i) + ": the move at ply " + std::to_string(illegal) + " is illegal";
    }
    return error;
}

template <class S, FeatureEncoder<S> F>
void bind_rows(nanobind::module_& module) {
    namespace nb = nanobind;
    using Facts = typename FactsOf<F>::type;
    constexpr bool has_facts = requires { typename F::Facts; };
    std::string name = "encode_rows_" + F::set().game + "_" + F::set().name;
    std::replace(name.begin(), name.end(), '-', '_');
    const auto run = [](const std::vector<const S*>& states, const NumbersIn<std::int16_t>& moves,
                        const NumbersIn<std::int64_t>& offsets, const NumbersIn<std::int32_t>& plies,
                        const NumbersIn<std::int32_t>& symmetries, const NumbersIn<bool>& has_history,
                        const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers, const std::vector<Facts>& facts) {
        const RowsAsked<S, F> asked{states, moves, offsets, plies, symmetries, has_history, planes, numbers, facts};
        asked.check();
        std::string error;
        {
            const nb::gil_scoped_release release;
            error = encode_rows(asked);
        }
        if (!error.empty()) throw nb::value_error(error.c_str());
    };
    const char* doc =
        "Positions to learn from, encoded: row i is where the game from states[i] by moves[offsets[i] : offsets[i + 1]], of\n"
        "the sides in turn, has come to after plies[i] of them, seen through a symmetry. has_history: False for a row\n"
        "that is not told of earlier moves and positions. ValueError naming the game and the ply for an illegal move: all\n"
        "other rows are written then.";
    if constexpr (has_facts)
        module.def(name.c_str(), run, nb::arg("states"), nb::arg("moves").noconvert(), nb::arg("offsets").noconvert(),
                   nb::arg("plies").noconvert(), nb::arg("symmetries").noconvert(), nb::arg("has_history").noconvert(),
                   nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(),
                   nb::arg("facts") = std::vector<Facts>(), doc);
    else
        module.def(
            name.c_str(),
            [run](const std::vector<const S*>& states, const NumbersIn<std::int16_t>& moves,
                  const NumbersIn<std::int64_t>& offsets, const NumbersIn<std::int32_t>& plies,
                  const NumbersIn<std::int32_t>& symmetries, const NumbersIn<bool>& has_history,
                  const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers) {
                run(states, moves, offsets, plies, symmetries, has_history, planes, numbers, {});
            },
            nb::arg("states"), nb::arg("moves").noconvert(), nb::arg("offsets").noconvert(), nb::arg("plies").noconvert(),
            nb::arg("symmetries").noconvert(), nb::arg("has_history").noconvert(), nb::arg("planes").noconvert(),
            nb::arg("numbers").noconvert() = nb::none(), doc);
}

}  // namespace tengen::bind
