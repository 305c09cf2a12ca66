// The definition of the passes, element by element; also the tails of vector code.
// Internal linkage for the reason given in scalar_convert.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/scalar_convert.h"
#include "resize/row_passes.h"

namespace dynjax {

template <typename T>
static inline void ScalarBlend(const void* const* rows, const float* weights, std::int32_t taps,
                               std::int64_t begin, std::int64_t end, float* out) {
  for (std::int64_t x = begin; x < end; ++x) {
    float sum = 0;
    for (std::int32_t t = 0; t < taps; ++t) {
      sum = __builtin_fmaf(weights[t], ToFloat(static_cast<const T*>(rows[t])[x]), sum);
    }
    out[x] = sum;
  }
}

// Channels [begin, end) of output `o`.
static inline void ScalarFilter(const float* row, const TapsView& taps, std::int32_t o,
                                std::int64_t channels, std::int64_t begin, std::int64_t end,
                                float* out) {
  const float* weights = taps.weights + static_cast<std::int64_t>(o) * taps.width;
  const float* pixel = row + taps.first[o] * channels;
  for (std::int64_t c = begin; c < end; ++c) {
    float sum = 0;
    for (std::int32_t t = 0; t < taps.count[o]; ++t) {
      sum = __builtin_fmaf(weights[t], pixel[t * channels + c], sum);
    }
    out[o * channels + c] = sum;
  }
}

}  // namespace dynjax
