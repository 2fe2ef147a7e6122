// Rows to learn from, for Python. bind_rows<GoState, KataV7>(module) makes `encode_rows_go_katago_v7` for one set;
// bind_rows_of<go::Sets>(module) makes `encode_rows_go` for all of a game's sets that are told nothing beside positions,
// chosen by name (core/encoders.hpp).
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

// A request from Python, an entry a row.
template <class S>
struct RowsAsked {
    const std::vector<const S*>& starts;
    const NumbersIn<std::int16_t>& moves;
    const NumbersIn<std::int64_t>& offsets;
    const NumbersIn<std::int32_t>&plies, &symmetries;
    const NumbersIn<bool>& has_history;
    const FloatsOut<4>& planes;
    const std::optional<FloatsOut<2>>& numbers;

    std::size_t size() const { return starts.size(); }

    // Throws ValueError for what does not fit together.
    void check(const FeatureSet& set) const {
        const std::size_t rows = size();
        if (offsets.shape(0) != rows + 1 || plies.shape(0) != rows || symmetries.shape(0) != rows ||
            has_history.shape(0) != rows)
            throw nanobind::value_error("there is one of everything a row, and one offset more");
        if (planes.shape(0) != rows || planes.shape(1) != set.planes.size() ||
            !globals_fit(numbers, rows, set.globals.size()))
            throw nanobind::value_error("the planes or numbers do not fit the features");
        for (std::size_t i = 0; i < rows; ++i) check_row(set, i);
    }

    RowAsked row(std::size_t i) const {
        return {{moves.data() + offsets.data()[i], moves.data() + offsets.data()[i + 1]},
                plies.data()[i],
                symmetries.data()[i],
                has_history.data()[i]};
    }
    float* planes_at(std::size_t i) const {
        return planes.data() + i * planes.shape(1) * planes.shape(2) * planes.shape(3);
    }
    float* numbers_at(std::size_t i) const { return numbers ? numbers->data() + i * numbers->shape(1) : nullptr; }

    // Calls make(row, number) for every row without the GIL; it returns the number of an illegal move or -1. Throws
    // ValueError naming the first of these, once all rows are done.
    template <class Make>
    void run(const Make& make) const {
        std::string error;
        {
            const nanobind::gil_scoped_release release;
            for (std::size_t i = 0; i < size(); ++i) {
                const int illegal = make(row(i), i);
                if (illegal >= 0 && error.empty())
                    error =
                        "game " + std::to_string(i) + ": the move at ply " + std::to_string(illegal) + " is illegal";
            }
        }
        if (!error.empty()) throw nanobind::value_error(error.c_str());
    }

private:
    void check_row(const FeatureSet& set, std::size_t i) const {
        const auto fail = [i](const char* what) {
            throw nanobind::value_error(("game " + std::to_string(i) + what).c_str());
        };
        if (!starts[i]) fail(" has no start");
        const int width = starts[i]->width(), height = starts[i]->height();
        const std::int64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > moves.shape(0))
            fail(": its moves are not there");
        if (plies.data()[i] < 0 || plies.data()[i] > end - begin)
            fail((" has no ply " + std::to_string(plies.data()[i])).c_str());
        if (static_cast<std::size_t>(height) != planes.shape(2) || static_cast<std::size_t>(width) != planes.shape(3))
            fail(": the board is of another size than the planes");
        if (symmetries.data()[i] < 0 || symmetries.data()[i] >= set.symmetries(width, height))
            fail(": no symmetry of this board");
    }
};

inline const char* const kRowsDoc =
    "Positions to learn from, encoded: row i is where the game from states[i] by moves[offsets[i] : offsets[i + 1]], of\n"
    "the sides in turn, has come to after plies[i] of them, seen through a symmetry. has_history: False for a row\n"
    "that is not told of earlier moves and positions. ValueError naming the game and the ply for an illegal move: all\n"
    "other rows are written then.";

inline std::string rows_name(const std::string& rest) {
    std::string name = "encode_rows_" + rest;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// `facts`: of each row, or of none.
template <class S, FeatureEncoder<S> F>
void bind_rows(nanobind::module_& module) {
    namespace nb = nanobind;
    using Facts = typename FactsOf<F>::type;
    const auto run = [](const std::vector<const S*>& states, const NumbersIn<std::int16_t>& moves,
                        const NumbersIn<std::int64_t>& offsets, const NumbersIn<std::int32_t>& plies,
                        const NumbersIn<std::int32_t>& symmetries, const NumbersIn<bool>& has_history,
                        const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers,
                        const std::vector<Facts>& facts) {
        const RowsAsked<S> asked{states, moves, offsets, plies, symmetries, has_history, planes, numbers};
        asked.check(F::set());
        if (!facts.empty() && facts.size() != states.size())
            throw nb::value_error("there are facts of each row or of none");
        asked.run([&](const RowAsked& row, std::size_t i) {
            int illegal = -1;
            const auto make = [&](const auto& start) {
                illegal = make_row<F>(start, row, facts.empty() ? Facts() : facts[i], asked.planes_at(i),
                                      asked.numbers_at(i));
            };
            if constexpr (requires { on_smallest(*states[i], make); })
                on_smallest(*states[i], make);
            else
                make(*states[i]);
            return illegal;
        });
    };
    const std::string name = rows_name(F::set().game + "_" + F::set().name);
    if constexpr (requires { typename F::Facts; })
        module.def(name.c_str(), run, nb::arg("states"), nb::arg("moves").noconvert(), nb::arg("offsets").noconvert(),
                   nb::arg("plies").noconvert(), nb::arg("symmetries").noconvert(), nb::arg("has_history").noconvert(),
                   nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(),
                   nb::arg("facts") = std::vector<Facts>(), kRowsDoc);
    else
        module.def(
            name.c_str(),
            [run](const std::vector<const S*>& states, const NumbersIn<std::int16_t>& moves,
                  const NumbersIn<std::int64_t>& offsets, const NumbersIn<std::int32_t>& plies,
                  const NumbersIn<std::int32_t>& symmetries, const NumbersIn<bool>& has_history,
                  const FloatsOut<4>& planes, const std::optional<FloatsOut<2>>& numbers) {
                run(states, moves, offsets, plies, symmetries, has_history, planes, numbers, {});
            },
            nb::arg("states"), nb::arg("moves").noconvert(), nb::arg("offsets").noconvert(),
            nb::arg("plies").noconvert(), nb::arg("symmetries").noconvert(), nb::arg("has_history").noconvert(),
            nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(), kRowsDoc);
}

template <class Sets>
void bind_rows_of(nanobind::module_& module) {
    namespace nb = nanobind;
    using S = typename Sets::Root;
    std::string game;
    Sets::on_smallest(Sets::example(), [&](const auto& small) { game = Sets::encoders(small).front().set->game; });
    module.def(
        rows_name(game).c_str(),
        [](const std::string& name, const std::vector<const S*>& states, const NumbersIn<std::int16_t>& moves,
           const NumbersIn<std::int64_t>& offsets, const NumbersIn<std::int32_t>& plies,
           const NumbersIn<std::int32_t>& symmetries, const NumbersIn<bool>& has_history, const FloatsOut<4>& planes,
           const std::optional<FloatsOut<2>>& numbers) {
            const RowsAsked<S> asked{states, moves, offsets, plies, symmetries, has_history, planes, numbers};
            const FeatureSet* set = nullptr;
            Sets::on_smallest(Sets::example(),
                              [&](const auto& small) { set = find_encoder(Sets::encoders(small), name).set; });
            asked.check(*set);
            asked.run([&](const RowAsked& row, std::size_t i) {
                int illegal = -1;
                Sets::on_smallest(*states[i], [&](const auto& start) {
                    const auto& encoder = find_encoder(Sets::encoders(start), name);
                    RowMaker maker(start, row, *encoder.set);
                    illegal = maker.make([&](const auto& state, const auto& past) {
                        encoder.write(state, past, row.symmetry, asked.planes_at(i), asked.numbers_at(i));
                    });
                });
                return illegal;
            });
        },
        nb::arg("name"), nb::arg("states"), nb::arg("moves").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("plies").noconvert(), nb::arg("symmetries").noconvert(), nb::arg("has_history").noconvert(),
        nb::arg("planes").noconvert(), nb::arg("numbers").noconvert() = nb::none(), kRowsDoc);
}

}  // namespace tengen::bind
