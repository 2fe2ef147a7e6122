// Named numeric settings, so that every constant of a search can be listed, set and tuned from outside.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tengen {

struct OptionView {  // what outsiders see of one setting
    std::string name;
    double value, low, high;
    std::string doc;
};

template <class Settings>
struct Option {
    const char* name;
    double Settings::* field;
    double low, high;
    const char* doc;
};

template <class Settings>
void append_options(const Settings& settings, std::span<const Option<Settings>> table, std::vector<OptionView>& out) {
    for (const auto& option : table)
        out.push_back({option.name, settings.*option.field, option.low, option.high, option.doc});
}

// True when the table has `name`. Throws std::invalid_argument for a value outside its range.
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

}  // namespace tengen
