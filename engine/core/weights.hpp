// Weights of an evaluator: named arrays of numbers, read once, shared by every search and thread, changed by nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tengen {

class Weights : public std::enable_shared_from_this<Weights> {
public:
    enum class Type : std::uint8_t { f32, i32, i16, i8 };
    // An array: its numbers are data[begin..end), row-major, little-endian.
    struct Entry {
        std::string name;
        Type type;
        std::vector<std::int64_t> shape;
        std::size_t begin, end;
    };

    // `name` and `digest` (SHA-256 of the file) are those of the card. Copies the numbers, each array to an address
    // that is a multiple of kAlignment. Throws std::invalid_argument for entries that do not fit the data.
    Weights(std::string name, std::string digest, std::vector<Entry> entries, std::span<const std::byte> data);
    Weights(const Weights&) = delete;
    Weights& operator=(const Weights&) = delete;

    const std::string& name() const { return name_; }
    const std::string& digest() const { return digest_; }
    // In the file's order; begin and end are places in what is kept.
    const std::vector<Entry>& entries() const { return entries_; }
    std::size_t bytes() const { return bytes_; }
    const std::byte* data() const { return data_.get(); }

    // The numbers of an array, valid as long as this is. Throws std::invalid_argument, with one sentence, unless there is
    // one of that name, type and shape; -1 in a shape is any.
    template <class T>
    std::span<const T> get(const std::string& name, std::initializer_list<std::int64_t> shape) const {
        const Entry& entry = find(name, type_of<T>(), shape);
        return {reinterpret_cast<const T*>(data_.get() + entry.begin), (entry.end - entry.begin) / sizeof(T)};
    }

    static constexpr std::size_t kAlignment = 64;
    static const char* name_of(Type type);
    static std::size_t size_of(Type type);

private:
    template <class T>
    static constexpr Type type_of() {
        if constexpr (std::is_same_v<T, float>) {
            return Type::f32;
        } else if constexpr (std::is_same_v<T, std::int32_t>) {
            return Type::i32;
        } else if constexpr (std::is_same_v<T, std::int16_t>) {
            return Type::i16;
        } else {
            static_assert(std::is_same_v<T, std::int8_t>);
            return Type::i8;
        }
    }
    const Entry& find(const std::string& name, Type type, std::span<const std::int64_t> shape) const;

    struct Free {
        void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t(kAlignment)); }
    };
    std::string name_, digest_;
    std::vector<Entry> entries_;
    std::size_t bytes_ = 0;
    std::unique_ptr<std::byte[], Free> data_;
};

}  // namespace tengen
