// Work in parts, shared by threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tengen {

// Calls work(part, thread) for the parts 0 to parts - 1, on so many threads at most, of which the caller's is number 0; returns
// when all are done. Threads take the next part as they are free. `work` throws nothing.
template <class F>
void on_threads(std::size_t threads, std::size_t parts, const F& work) {
    std::atomic<std::size_t> next = 0;
    const auto run = [&](std::size_t thread) {
        for (std::size_t part; (part = next.fetch_add(1)) < parts;) work(part, thread);
    };
    std::vector<std::thread> others;
    for (std::size_t thread = 1; thread < std::min(threads, parts); ++thread) others.emplace_back(run, thread);
    run(0);
    for (auto& other : others) other.join();
}

}  // namespace tengen
