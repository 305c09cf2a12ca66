#include "masks/grid_mask.h"

#include <algorithm>
#include <cstring>

namespace dynjax {
namespace {

// From here on every float32 is whole.
constexpr float kAllWhole = 8388608.0f;

// By way of integers, for which the baseline has vector instructions.
float Fraction(float value) {
  // In this order NaN becomes a number, which can be converted.
  const float bounded = std::max(-kAllWhole, std::min(value, kAllWhole));
  const auto toward_zero = static_cast<float>(static_cast<std::int32_t>(bounded));
  const float fraction = bounded - (toward_zero > bounded ? toward_zero - 1.0f : toward_zero);
  return value == value ? fraction : value;
}

struct Walk {
  const ByteView& from;
  const ByteView& to;
  std::size_t item_bytes, rows, columns;
  const Grid& grid;
  std::span<std::uint8_t> masked;

  std::size_t rank() const { return from.extent.size(); }

  // Whether the elements behind `axis` lie side by side in both arrays.
  bool IsPacked(std::size_t axis) const {
    auto bytes = static_cast<std::int64_t>(item_bytes);
    for (std::size_t a = rank(); a-- > axis + 1;) bytes *= from.extent[a];
    return from.strides[axis] == bytes && to.strides[axis] == bytes;
  }

  void Copy(std::size_t axis, const std::byte* source, std::byte* target) const {
    if (axis == rank()) {
      std::memcpy(target, source, item_bytes);
      return;
    }
    if (IsPacked(axis)) {
      std::memcpy(target, source, static_cast<std::size_t>(from.strides[axis] * from.extent[axis]));
      return;
    }
    for (std::int32_t i = 0; i < from.extent[axis]; ++i) {
      Copy(axis + 1, source + i * from.strides[axis], target + i * to.strides[axis]);
    }
  }

  void Clear(std::size_t axis, std::byte* target) const {
    if (axis == rank()) {
      std::memset(target, 0, item_bytes);
      return;
    }
    for (std::int32_t i = 0; i < to.extent[axis]; ++i) {
      Clear(axis + 1, target + i * to.strides[axis]);
    }
  }

  // A line along the columns' axis, run by run.
  void Line(const std::byte* source, std::byte* target) const {
    const auto width = static_cast<std::int64_t>(masked.size());
    const std::int64_t in_step = from.strides[columns], out_step = to.strides[columns];
    const bool is_packed = IsPacked(columns);
    for (std::int64_t x = 0; x < width;) {
      std::int64_t end = x + 1;
      while (end < width && masked[end] == masked[x]) ++end;
      if (is_packed) {
        const auto bytes = static_cast<std::size_t>((end - x) * out_step);
        if (masked[x] != 0) {
          std::memset(target + x * out_step, 0, bytes);
        } else {
          std::memcpy(target + x * out_step, source + x * in_step, bytes);
        }
        x = end;
        continue;
      }
      for (; x < end; ++x) {
        if (masked[x] != 0) {
          Clear(columns + 1, target + x * out_step);
        } else {
          Copy(columns + 1, source + x * in_step, target + x * out_step);
        }
      }
    }
  }

  // All axes but the columns' and those behind it, `rows` among them. The mask of a row serves all
  // lines of the axes in between.
  void Visit(std::size_t axis, const std::byte* source, std::byte* target) const {
    if (axis == columns) {
      Line(source, target);
      return;
    }
    for (std::int32_t i = 0; i < from.extent[axis]; ++i) {
      if (axis == rows) MaskRow(grid, i, masked);
      Visit(axis + 1, source + i * from.strides[axis], target + i * to.strides[axis]);
    }
  }
};

}  // namespace

void MaskRow(const Grid& grid, std::int64_t y, std::span<std::uint8_t> masked) {
  const auto row = static_cast<float>(y);
  const float u0 = -grid.sin * row - grid.shift_x, v0 = grid.cos * row - grid.shift_y;
  const auto width = static_cast<std::int32_t>(masked.size());
  std::uint8_t* out = masked.data();
  for (std::int32_t x = 0; x < width; ++x) {
    const auto column = static_cast<float>(x);
    const bool is_left = Fraction(grid.cos * column + u0) < grid.ratio;
    const bool is_upper = Fraction(grid.sin * column + v0) < grid.ratio;
    out[x] = static_cast<std::uint8_t>(is_left & is_upper);
  }
}

void MaskGrid(const ByteView& from, const ByteView& to, std::size_t item_bytes, std::size_t rows,
              std::size_t columns, const Grid& grid, std::span<std::uint8_t> scratch) {
  Walk{from, to, item_bytes, rows, columns, grid, scratch}.Visit(0, from.data, to.data);
}

}  // namespace dynjax
