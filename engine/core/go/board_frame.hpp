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
        if (depth_ == pool_.size())
            pool_.push_back(board);
        else
            pool_[depth_] = board;
        at_ = &pool_[depth_++];
    }
    BoardFrame(const BoardFrame&) = delete;
    ~BoardFrame() { --depth_; }
    static std::size_t depth() { return depth_; }
    Board<N>* operator->() const { return at_; }
    Board<N>& operator*() const { return *at_; }

private:
    Board<N>* at_;
    static inline thread_local std::deque<Board<N>> pool_;  // its elements never move
    static inline thread_local std::size_t depth_ = 0;
};

}  // namespace tengen::go
