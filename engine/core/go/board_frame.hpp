// A board of this thread's pool, for as long as the frame lives: ladders run deep, and a large board's copies would fill
// a thread's stack.
#pragma once

#include <deque>

#include "core/go/board.hpp"

namespace tengen::go {

template <int N>
class BoardFrame {
public:
    explicit BoardFrame(const Board<N>& board) {
        Pool& mine = pool();
        if (mine.depth == mine.boards.size())
            mine.boards.push_back(board);
        else
            mine.boards[mine.depth] = board;
        at_ = &mine.boards[mine.depth++];
    }
    BoardFrame(const BoardFrame&) = delete;
    ~BoardFrame() { --pool().depth; }
    static std::size_t depth() { return pool().depth; }
    Board<N>* operator->() const { return at_; }
    Board<N>& operator*() const { return *at_; }

private:
    struct Pool {
        std::deque<Board<N>> boards;  // its elements never move
        std::size_t depth = 0;
    };

    // Not a static member: GCC for mingw-w64 writes the function that makes one into each object file, and they clash.
    static Pool& pool() {
        thread_local Pool here;
        return here;
    }

    Board<N>* at_;
};

}  // namespace tengen::go
