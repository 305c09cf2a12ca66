// The grid of zeroed squares of GridMask (Chen et al., 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dynjax {

// One array of any rank: extents, and strides in bytes.
struct ByteView {
  std::byte* data;
  std::span<const std::int32_t> extent;
  std::span<const std::int64_t> strides;
};

// A pixel is masked where the fractional parts of
//   u = cos x - sin y - shift_x   and   v = sin x + cos y - shift_y
// are both less than `ratio`. All but `ratio` are divided by the period of the grid already.
struct Grid {
  float ratio, cos, sin, shift_x, shift_y;
};

// Writes 1 to `masked[x]` for each masked pixel of row `y`, else 0.
void MaskRow(const Grid& grid, std::int64_t y, std::span<std::uint8_t> masked);

// Copies `from` to `to`, which has the same extents, with zero bytes for masked pixels. `rows` and
// `columns` are the axes of y and x; an element has `item_bytes` bytes and is the innermost axis's.
// `scratch` holds as many bytes as there are columns.
void MaskGrid(const ByteView& from, const ByteView& to, std::size_t item_bytes, std::size_t rows,
              std::size_t columns, const Grid& grid, std::span<std::uint8_t> scratch);

}  // namespace dynjax
