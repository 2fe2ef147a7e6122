// Writes planes of a board of cells, seen through a symmetry.
#pragma once

#include <algorithm>

#include "core/symmetry.hpp"

namespace tengen {

class Planes {
public:
    // `out` has count x height x width floats, which all become 0.
    Planes(float* out, int count, int width, int height, int symmetry)
        : out_(out), width_(width), height_(height), symmetry_(symmetry) {
        std::fill(out, out + count * width * height, 0.0f);
    }
    // A cell (dense) of a plane.
    void set(int plane, int cell, float value = 1) {
        out_[plane * width_ * height_ + transform_cell(cell, width_, height_, symmetry_)] = value;
    }
    void fill(int plane, float value) {
        const int cells = width_ * height_;
        std::fill(out_ + plane * cells, out_ + (plane + 1) * cells, value);
    }

private:
    float* out_;
    int width_, height_, symmetry_;
};

}  // namespace tengen
