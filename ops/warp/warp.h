// Affine and perspective warps of one picture or volume.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warp/sampler.h"

namespace dynjax {

// What is written: extents and strides as of Picture.
struct Canvas {
  std::byte* data = nullptr;
  Pixel type = Pixel::kU8;
  std::array<std::int32_t, 3> extent{1, 1, 1};
  std::array<std::int64_t, 3> strides{};
};

// Takes positions on the canvas to positions in the source, x first: `entries` are the rows of
// [A | b], 2 of 3 numbers or 3 of 4; with `perspective` there is one row more, by which the result
// is divided (on the horizon, where that is 0, the source's corner is read).
struct WarpMap {
  std::span<const float> entries;
  std::int32_t dimensions = 2;  // 3 for volumes
  bool perspective = false;
};

constexpr std::int64_t EntriesOf(std::int32_t dimensions, bool perspective) {
  return (dimensions + (perspective ? 1 : 0)) * std::int64_t{dimensions + 1};
}

void Warp(const Picture& source, const Canvas& canvas, const WarpMap& map, const Sampling& sampling,
          Target instructions = BestTarget());

}  // namespace dynjax
