// The two passes of a separable resampling, on rows, per target.
//
// All targets give the same bits: sums run over taps in order, each step one fused multiply-add.
#pragma once

#include <array>
#include <cstdint>

#include "base/convert.h"

namespace dynjax {

// Rows of floats have this much room after their last element: `filter` may touch it.
inline constexpr std::int64_t kRowSlack = 8;
// The number of rows that `filter` does best at once.
inline constexpr std::int32_t kRowBlock = 4;

// The members of Taps, as the passes see them.
struct TapsView {
  std::int32_t out;
  std::int32_t width;
  bool uniform;  // all counts are `width`
  const std::int32_t* first;
  const std::int32_t* count;
  const float* weights;
};

struct RowPasses {
  // out[x] = sum over t of weights[t] * rows[t][x], for x < n.
  using Blend = void (*)(const void* const* rows, const float* weights, std::int32_t taps,
                         std::int64_t n, float* out);
  // For each of `rows` rows: out[o][c] = sum over t of the weights of `o` * in[first[o] + t][c],
  // for c < channels. Rows begin `step` (in) and `out_step` elements apart. Several rows at once
  // share the loads of weights: 4 rows cost little more than half of 4 times one row.
  using Filter = void (*)(const float* in, std::int64_t step, std::int32_t rows,
                          const TapsView& taps, std::int64_t channels, float* out,
                          std::int64_t out_step);
  std::array<Blend, kPixels> blend;
  Filter filter;
};

const RowPasses& RowPassesFor(Target target);

}  // namespace dynjax
