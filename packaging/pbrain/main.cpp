// pbrain-tengen without Python: reads Gomocup's protocol from standard input, answers on standard output.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "brain.hpp"

namespace {

using tengen::pbrain::Brain;
using Line = std::pair<std::string, Brain::Time>;

constexpr std::size_t kLongest = 1 << 16;        // characters of a line that are kept
constexpr std::chrono::seconds kAfterwards(28);  // that a search has after the end of input

// Lines on their way from the reader to the brain.
class Lines {
public:
    void put(std::optional<Line> line) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
        arrived_.notify_one();
    }
    std::optional<Line> take() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !lines_.empty(); });
        std::optional<Line> out = std::move(lines_.front());
        lines_.pop_front();
        return out;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::optional<Line>> lines_;
};

void read(Brain& brain, Lines& lines) {
    for (std::string line; std::getline(std::cin, line);) {
        line.resize(std::min(line.size(), kLongest));
        const std::string name = tengen::pbrain::parse(tengen::pbrain::cleaned(line)).name;
        if (name == "YXSTOP" || name == "STOP") brain.interrupt();
        if (name == "END") brain.leave();
        lines.put(Line(std::move(line), std::chrono::steady_clock::now()));
    }
    lines.put(std::nullopt);
    std::this_thread::sleep_for(kAfterwards);
    brain.interrupt();
}

// Whether this processor has what the program was compiled for. Compiled for any (CMakeLists.txt).
bool can_run() {
#if defined(TENGEN_NEEDS_AVX2) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return true;
#endif
}

}  // namespace

int main() {
    if (!can_run()) {
        std::puts("ERROR this program needs a processor with AVX2");
        return 1;
    }
#ifdef _WIN32  // as bytes: a Ctrl-Z in a text would be its end
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);  // the reader would flush what the brain is writing
    Brain brain([](const std::string& text) {
        std::cout << text << '\n' << std::flush;
        if (!std::cout) std::_Exit(0);  // nobody reads any more
    });
    Lines lines;
    std::thread([&] { read(brain, lines); }).detach();
    while (const auto line = lines.take())
        if (!brain.handle(line->first, line->second)) break;
    std::cout.flush();
    std::_Exit(0);  // the reader may still wait
}
