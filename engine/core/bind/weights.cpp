// Weights for Python, which reads their file (engine/evaluators/weights.py) and hands them to searches.
#include "core/weights.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "core/bind/bind.hpp"

namespace nb = nanobind;

namespace tengen {
namespace {

using Row = std::tuple<std::string, std::string, std::vector<std::int64_t>, std::size_t, std::size_t>;

Weights::Type type_named(const std::string& name) {
    for (const auto type : {Weights::Type::f32, Weights::Type::i32, Weights::Type::i16, Weights::Type::i8})
        if (name == Weights::name_of(type)) return type;
    throw nb::value_error("an array is of f32, i32, i16 or i8");
}

std::shared_ptr<Weights> make(std::string name, std::string digest, const std::vector<Row>& rows,
                              const nb::bytes& data) {
    std::vector<Weights::Entry> entries;
    for (const auto& [array, type, shape, begin, end] : rows)
        entries.push_back({array, type_named(type), shape, begin, end});
    const std::span<const char> bytes(data.c_str(), data.size());
    return std::make_shared<Weights>(std::move(name), std::move(digest), std::move(entries), std::as_bytes(bytes));
}

std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>>> arrays(const Weights& weights) {
    std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>>> out;
    for (const auto& entry : weights.entries()) out.emplace_back(entry.name, Weights::name_of(entry.type), entry.shape);
    return out;
}

nb::bytes data(const Weights& weights, const std::string& name) {
    const std::byte* all = weights.data();
    for (const auto& entry : weights.entries())
        if (entry.name == name)
            return nb::bytes(reinterpret_cast<const char*>(all + entry.begin), entry.end - entry.begin);
    throw nb::key_error(name.c_str());
}

}  // namespace

void bind_weights(nb::module_& module) {
    nb::class_<Weights>(
        module, "Weights",
        "Named arrays of numbers that an evaluator reads; shared by searches and threads, never changed.")
        .def(
            nb::new_(&make), nb::arg("name"), nb::arg("digest"), nb::arg("arrays"), nb::arg("data"),
            "arrays: (name, f32 or i32 or i16 or i8, shape, begin, end), its bytes being data[begin:end]. Copies them. "
            "Raises ValueError for one that does not fit its place.")
        .def_prop_ro("name", &Weights::name, "The card's.")
        .def_prop_ro("digest", &Weights::digest, "SHA-256 of the file.")
        .def_prop_ro("arrays", &arrays, "(name, type, shape) of each.")
        .def_prop_ro("memory", &Weights::bytes, "Bytes that they take.")
        .def_prop_ro(
            "uses", [](Weights& self) { return self.weak_from_this().use_count(); },
            "How many hold them in the core, Python being one.")
        .def("data", &data, nb::arg("name"), "A copy of the bytes of an array.");
}

}  // namespace tengen
