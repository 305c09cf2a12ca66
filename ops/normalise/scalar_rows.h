// The definition of the row functions, element by element; also the tails of vector code.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/scalar_convert.h"

namespace dynjax {

static inline float Normalized(float x, float mean, float mul, float shift) {
  return __builtin_fmaf(x - mean, mul, shift);
}

// Pixels [begin, end) of the output.
template <typename T>
static inline void ScalarSplit(const std::uint8_t* in, std::int64_t n, bool reversed,
                               const float* mean, const float* mul, float shift,
                               void* const* planes, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const std::uint8_t* pixel = in + 3 * (reversed ? n - 1 - i : i);
    for (int c = 0; c < 3; ++c) {
      static_cast<T*>(planes[c])[i] =
          FromFloat<T>(Normalized(static_cast<float>(pixel[c]), mean[c], mul[c], shift));
    }
  }
}

// Pixels [begin, n) of the output.
static inline void ScalarInterleave(const std::uint8_t* in, std::int64_t n, bool reversed,
                                    const float* mean, const float* mul, float shift,
                                    std::int64_t begin, float* out) {
  for (std::int64_t i = begin; i < n; ++i) {
    const std::uint8_t* pixel = in + 3 * (reversed ? n - 1 - i : i);
    for (int c = 0; c < 3; ++c) {
      out[3 * i + c] = Normalized(static_cast<float>(pixel[c]), mean[c], mul[c], shift);
    }
  }
}

}  // namespace dynjax
