// Lines of Gomocup's protocol as text: a command, its argument, numbers, coordinates. Nothing here knows what a command
// means.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::pbrain {

// A command that cannot be done; the text is what follows "ERROR".
struct Error {
    std::string text;
};

struct Request {
    std::string name, rest;  // name: upper case; rest: of its line
};

struct Placed {
    int x = 0, y = 0;
    std::optional<int> field;
};

// Without control characters, those of the end of a line included, and without blanks around it.
inline std::string cleaned(std::string_view line) {
    std::string out;
    for (const char c : line) out += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
    const auto first = out.find_first_not_of(' ');
    return first == std::string::npos ? "" : out.substr(first, out.find_last_not_of(' ') - first + 1);
}

inline Request parse(const std::string& line) {
    const auto blank = std::min(line.find(' '), line.size());
    Request out{line.substr(0, blank), cleaned(std::string_view(line).substr(blank))};
    std::transform(out.name.begin(), out.name.end(), out.name.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
}

// Somebody else's text, short and in quotes.
inline std::string quoted(const std::string& text) {
    constexpr std::size_t kMost = 40;
    std::string out = text.substr(0, kMost);
    for (char& c : out)
        if (static_cast<unsigned char>(c) > 126) c = '?';
    return "'" + out + (text.size() > kMost ? "...'" : "'");
}

// The whole number at the beginning, fractions cut off.
inline std::optional<long long> number(const std::string& text) {
    const std::string word = text.substr(0, text.find(' '));
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    constexpr double kMost = 9e15;
    if (word.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return static_cast<long long>(std::clamp(value, -kMost, kMost));
}

// `x,y` or `x,y,field`. Throws Error.
inline Placed placed(const std::string& text) {
    const Error wrong{quoted(text) + " is not x,y"};
    Placed out;
    int values[3] = {}, count = 0;
    const char* at = text.c_str();
    while (true) {
        char* end = nullptr;
        const long value = std::strtol(at, &end, 10);
        if (end == at || count == 3 || value > 999'999'999 || value < -999'999'999) throw wrong;
        values[count++] = static_cast<int>(value);
        at = end;
        while (*at == ' ') ++at;
        if (*at == '\0') break;
        if (*at++ != ',') throw wrong;
    }
    if (count < 2) throw wrong;
    out.x = values[0];
    out.y = values[1];
    if (count == 3) out.field = values[2];
    return out;
}

// `x,y` alone. Throws Error.
inline Placed coordinates(const std::string& text) {
    const Placed out = placed(text);
    if (out.field) throw Error{quoted(text) + " is not x,y"};
    return out;
}

}  // namespace tengen::pbrain
