// Loudness and differences of signals, per target.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

struct LevelKernels {
  // out[k] = x[k] - part * (k > 0 ? x[k - 1] : before).
  using Difference = void (*)(const float* x, std::int64_t n, float before, float part, float* out);
  // The largest of `n` values and `least`.
  using Largest = float (*)(const float* x, std::int64_t n, float least);
  // out[k] = multiplier * log10(max(x[k] / reference, least)); `least` is a normal number.
  using Decibels = void (*)(const float* x, std::int64_t n, float multiplier, float reference,
                            float least, float* out);
  Difference difference;
  Largest largest;
  Decibels decibels;
};

const LevelKernels& LevelKernelsFor(Target target);

}  // namespace dynjax
