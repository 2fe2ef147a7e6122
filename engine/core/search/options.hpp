// Named numeric settings, so that every constant of a search can be listed, set and tuned from outside.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tengen {

enum class Kind { number, whole, check };  // every field is a double; this is what its values mean

inline const char* name_of(Kind kind) {
    return kind == Kind::number ? "number" : kind == Kind::whole ? "whole" : "check";
}

struct OptionView {  // what outsiders see of one setting
    std::string name;
    double value, low, high;
    std::string doc, kind;
};

template <class Settings>
struct Option {
    const char* name;
    double Settings::* field;
    double low, high;
    const char* doc;
    Kind kind = Kind::number;
};

template <class Settings>
void append_options(const Settings& settings, std::span<const Option<Settings>> table, std::vector<OptionView>& out) {
    for (const auto& option : table)
        out.push_back({option.name, settings.*option.field, option.low, option.high, option.doc, name_of(option.kind)});
}

// True when the table has `name`. Throws std::invalid_argument for a value outside its range; whole numbers and checks
// are the caller's to keep.
template <class Settings>
bool set_option(Settings& settings, std::span<const Option<Settings>> table, const std::string& name, double value) {
    for (const auto& option : table) {
        if (name != option.name) continue;
        if (!(value >= option.low && value <= option.high))
            throw std::invalid_argument(name + " must lie between " + std::to_string(option.low) + " and " +
                                        std::to_string(option.high));
        settings.*option.field = value;
        return true;
    }
    return false;
}

// One table of several, for settings that have theirs as bases.
template <class Settings, class... Parts>
std::vector<Option<Settings>> joined(std::span<const Option<Parts>>... tables) {
    std::vector<Option<Settings>> out;
    const auto add = [&out](const auto& table) {
        for (const auto& o : table) out.push_back({o.name, o.field, o.low, o.high, o.doc, o.kind});
    };
    (add(tables), ...);
    return out;
}

}  // namespace tengen
