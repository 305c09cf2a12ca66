// Data less their mean, divided by their deviation.
#pragma once

#include <cstdint>
#include <span>

#include "base/convert.h"
#include "base/simd.h"

namespace dynjax {

// Axes folded to three: mean and deviation are taken along the middle one.
struct Folded {
  std::int64_t lead = 1, reduced = 1, kept = 1;
};

struct Standardization {
  // None, one for all, or one for each of lead x kept. What is not given comes from the data.
  std::span<const float> mean{}, deviation{};
  float ddof = 0, epsilon = 0, scale = 1, shift = 0;
};

// out = (in - mean) * scale / sqrt(deviation^2 + epsilon) + shift; `shift` where the root is 0.
// Elements lie side by side. Sums are exact for bytes, in float64 for other types.
void Standardize(const void* in, Pixel in_type, const Folded& extent,
                 const Standardization& parameters, Pixel out_type, void* out,
                 Target instructions = BestTarget());

}  // namespace dynjax
