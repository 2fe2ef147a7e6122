// The eight symmetries of a board of cells, as numbers 0..7.
//
// Bit 0 mirrors the columns, bit 1 mirrors the rows, bit 2 then swaps rows and columns; 0 changes nothing.
// A rectangular board keeps its shape only under 0..3.
#pragma once

namespace tengen {

constexpr int kSymmetries = 8;

constexpr int symmetry_count(int width, int height) { return width == height ? kSymmetries : kSymmetries / 2; }

// Transform a cell of a width x height board. `symmetry` must be below symmetry_count().
constexpr int transform_cell(int cell, int width, int height, int symmetry) {
    if (symmetry == 0) return cell;
    int row = cell / width, column = cell % width;
    if (symmetry & 1) column = width - 1 - column;
    if (symmetry & 2) row = height - 1 - row;
    return symmetry & 4 ? column * width + row : row * width + column;
}

}  // namespace tengen
