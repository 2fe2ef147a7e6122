// Named settings, so that every constant of a search can be listed, set and tuned from outside: numbers, and text such as
// the path of a file.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace tengen {

enum class Kind { number, whole, check, text };  // what the values of a field mean

inline const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::whole: return "whole";
        case Kind::check: return "check";
        case Kind::text: return "text";
        default: return "number";
    }
}

using OptionValue = std::variant<double, std::string>;  // a string for Kind::text alone

struct OptionView {  // what outsiders see of one setting
    std::string name;
    OptionValue value;
    double low, high;  // of numbers
    std::string doc, kind;
};

// The place of a setting. An int holds whole numbers, a std::string holds text, whatever the option's kind says.
template <class Settings>
using Field = std::variant<double Settings::*, int Settings::*, std::string Settings::*>;

template <class Settings>
struct Option {
    const char* name;
    Field<Settings> field;
    double low, high;  // both included; of text: not read
    const char* doc;
    Kind kind = Kind::number;

    constexpr Kind shown_kind() const {
        if (std::holds_alternative<std::string Settings::*>(field)) return Kind::text;
        return std::holds_alternative<int Settings::*>(field) && kind == Kind::number ? Kind::whole : kind;
    }
    OptionValue value(const Settings& settings) const {
        return std::visit([&settings](auto at) { return OptionValue(converted(settings.*at)); }, field);
    }
    // Throws std::invalid_argument for a number out of range, and for text in place of a number or the reverse.
    void set(Settings& settings, const OptionValue& value) const {
        std::visit([&](auto at) { assign(settings.*at, value); }, field);
    }

private:
    static double converted(double value) { return value; }
    static const std::string& converted(const std::string& value) { return value; }

    void assign(std::string& to, const OptionValue& value) const {
        const auto* text = std::get_if<std::string>(&value);
        if (!text) throw std::invalid_argument(std::string(name) + " must be text");
        to = *text;
    }
    template <class Number>
    void assign(Number& to, const OptionValue& value) const {
        const auto* number = std::get_if<double>(&value);
        if (!number) throw std::invalid_argument(std::string(name) + " must be a number");
        if (!(*number >= low && *number <= high))
            throw std::invalid_argument(std::string(name) + " must lie between " + std::to_string(low) + " and " +
                                        std::to_string(high));
        to = static_cast<Number>(*number);
    }
};

template <class Settings>
void append_options(const Settings& settings, std::span<const Option<Settings>> table, std::vector<OptionView>& out) {
    for (const auto& option : table)
        out.push_back(
            {option.name, option.value(settings), option.low, option.high, option.doc, name_of(option.shown_kind())});
}

// True when the table has `name`. Throws std::invalid_argument as Option::set does; that doubles are whole numbers or
// checks is the caller's to keep.
template <class Settings>
bool set_option(Settings& settings, std::span<const Option<Settings>> table, const std::string& name,
                const OptionValue& value) {
    for (const auto& option : table) {
        if (name != option.name) continue;
        option.set(settings, value);
        return true;
    }
    return false;
}

// One table of several, for settings that have theirs as bases.
template <class Settings, class... Parts>
std::vector<Option<Settings>> joined(std::span<const Option<Parts>>... tables) {
    std::vector<Option<Settings>> out;
    const auto add = [&out](const auto& table) {
        for (const auto& o : table)
            out.push_back({o.name, std::visit([](auto at) { return Field<Settings>(at); }, o.field), o.low, o.high,
                           o.doc, o.kind});
    };
    (add(tables), ...);
    return out;
}

}  // namespace tengen
