#include "core/weights.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace tengen {

static_assert(std::endian::native == std::endian::little, "the arrays of a file are little-endian");

namespace {

std::string text_of(std::span<const std::int64_t> shape) {
    std::string out;
    for (const std::int64_t side : shape) out += (out.empty() ? "" : "x") + (side < 0 ? "n" : std::to_string(side));
    return out.empty() ? "one number" : out;
}

// Bytes of an array of this shape; -1 where that is no number of bytes.
std::int64_t bytes_of(const Weights::Entry& entry) {
    std::int64_t bytes = static_cast<std::int64_t>(Weights::size_of(entry.type));
    for (const std::int64_t side : entry.shape) {
        if (side < 0 || (side > 0 && bytes > std::numeric_limits<std::int64_t>::max() / side)) return -1;
        bytes *= side;
    }
    return bytes;
}

std::size_t aligned(std::size_t bytes) {
    return (bytes + Weights::kAlignment - 1) / Weights::kAlignment * Weights::kAlignment;
}

}  // namespace

const char* Weights::name_of(Type type) {
    constexpr const char* names[] = {"f32", "i32", "i16", "i8"};
    return names[static_cast<std::size_t>(type)];
}

std::size_t Weights::size_of(Type type) {
    constexpr std::size_t sizes[] = {4, 4, 2, 1};
    return sizes[static_cast<std::size_t>(type)];
}

Weights::Weights(std::string name, std::string digest, std::vector<Entry> entries, std::span<const std::byte> data)
    : name_(std::move(name)), digest_(std::move(digest)), entries_(std::move(entries)) {
    for (const Entry& entry : entries_) {
        if (entry.begin > entry.end || entry.end > data.size() ||
            bytes_of(entry) != static_cast<std::int64_t>(entry.end - entry.begin))
            throw std::invalid_argument("the array '" + entry.name + "' does not fit its place");
        bytes_ += aligned(entry.end - entry.begin);
    }
    data_.reset(static_cast<std::byte*>(::operator new[](std::max(bytes_, kAlignment), std::align_val_t(kAlignment))));
    std::size_t at = 0;
    for (Entry& entry : entries_) {
        const std::size_t size = entry.end - entry.begin;
        if (size) std::memcpy(data_.get() + at, data.data() + entry.begin, size);
        entry.begin = at;
        entry.end = at + size;
        at += aligned(size);
    }
}

const Weights::Entry& Weights::find(const std::string& name, Type type, std::span<const std::int64_t> shape) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
    const std::string wanted = std::string(name_of(type)) + " of " + text_of(shape);
    if (found == entries_.end())
        throw std::invalid_argument("the weights '" + name_ + "' lack '" + name + "', " + wanted);
    const auto fits = [](std::int64_t wanted, std::int64_t has) { return wanted < 0 || wanted == has; };
    if (found->type != type || !std::equal(shape.begin(), shape.end(), found->shape.begin(), found->shape.end(), fits))
        throw std::invalid_argument("the weights '" + name_ + "' have '" + name + "' as " + name_of(found->type) +
                                    " of " + text_of(found->shape) + ", not " + wanted);
    return *found;
}

}  // namespace tengen
