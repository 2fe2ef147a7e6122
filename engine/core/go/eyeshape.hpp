// Eye shapes: which connected sets of points make one eye, and where the killing point is.
//
// The killable ("nakade") shapes are the ones that every Go primer lists: one to three points, the pyramid and the
// square of four, the bulky and the crossed five, the rabbity six. Every larger or other shape holds two eyes.
#pragma once

#include "core/go/board.hpp"

namespace tengen::go {

// The shape of a set of points, by the number of neighbours that each point has inside the set.
enum class EyeShape {
    kOne,      // 1 point
    kTwo,      // 2 points
    kThree,    // 3 points, straight or bent
    kSquare,   // 4 in a square: already dead
    kPyramid,  // 4 around a centre
    kBulky,    // 5: square and one
    kCrossed,  // 5 around a centre
    kRabbity,  // 6: bulky and one more beside the centre
    kLiving,   // anything else connected
};

struct EyeJudgement {
    EyeShape shape;
    int vital;  // the point whose occupation kills (or -1: none, or any)
};

// Judge `size` >= 1 points that form one orthogonally connected set.
template <int N>
EyeJudgement judge_eye(const int* points, int size) {
    if (size > 6) return {EyeShape::kLiving, -1};
    int degree[6] = {}, edges = 0, most = 0;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) {
            const int d = points[i] - points[k];
            if (d == 1 || d == -1 || d == Board<N>::kStride || d == -Board<N>::kStride) ++degree[i], ++edges;
        }
    edges /= 2;
    for (int i = 1; i < size; ++i)
        if (degree[i] > degree[most]) most = i;
    const int top = degree[most], vital = points[most];
    const auto count = [&](int d) {
        int n = 0;
        for (int i = 0; i < size; ++i) n += degree[i] == d;
        return n;
    };
    if (size == 1) return {EyeShape::kOne, -1};
    if (size == 2) return {EyeShape::kTwo, -1};
    if (size == 3) return {EyeShape::kThree, vital};
    if (size == 4 && edges == 4) return {EyeShape::kSquare, -1};
    if (size == 4 && top == 3) return {EyeShape::kPyramid, vital};
    if (size == 5 && edges == 5 && top == 3) return {EyeShape::kBulky, vital};
    if (size == 5 && top == 4) return {EyeShape::kCrossed, vital};
    if (size == 6 && edges == 6 && top == 4 && count(2) == 3) return {EyeShape::kRabbity, vital};
    return {EyeShape::kLiving, -1};
}

// Whether an eye space of this shape, its owner to move or not, is two eyes already.
template <int N>
bool makes_two_eyes(const int* points, int size) {
    return judge_eye<N>(points, size).shape == EyeShape::kLiving;
}

}  // namespace tengen::go
