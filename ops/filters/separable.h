// Separable filters: a sum of terms, each of which correlates every axis with a window of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/convert.h"
#include "base/simd.h"

namespace dynjax {

// An image or volume: depth x height x width pixels of `inner` elements side by side. Steps are in
// elements; pixels of a row follow each other.
struct FilterGrid {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::int64_t inner = 1;
};

struct FilterView {
  const void* data = nullptr;
  Pixel type = Pixel::kU8;
  std::array<std::int64_t, 2> step{};  // between slices, between rows
};

// `weights`: for each term, for each of the last `axes` axes of the grid, `width` (odd) weights,
// the middle one on the output pixel. Sums are in float32; the result is rounded once. The border
// is mirrored about the outermost pixels.
struct SeparableWindows {
  const float* weights = nullptr;
  int terms = 1, axes = 2;
  std::int64_t width = 1;
};

void FilterSeparably(const FilterGrid& grid, const FilterView& in, const SeparableWindows& windows,
                     void* out, Pixel out_type, std::array<std::int64_t, 2> out_step,
                     Target instructions = BestTarget());

}  // namespace dynjax
