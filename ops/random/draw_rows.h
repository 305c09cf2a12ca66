// Random numbers for consecutive elements of a sample.
#pragma once

#include <cstdint>

#include "base/simd.h"
#include "base/threefry.h"

namespace dynjax {

// Each function draws for the elements from `start` on, `n` of them; `key` is the sample's.
struct DrawRows {
  // Uniform on [low, high).
  void (*range)(Words key, std::uint32_t start, std::int64_t n, float low, float high, float* out);
  void (*range_double)(Words key, std::uint32_t start, std::int64_t n, double low, double high,
                       double* out);
  // Normal.
  void (*normal)(Words key, std::uint32_t start, std::int64_t n, float mean, float stddev,
                 float* out);
  // Beta, of positive finite parameters.
  void (*beta)(Words key, std::uint32_t start, std::int64_t n, float alpha, float beta, float* out);
  // 1 with the given probability, else 0.
  void (*flip)(Words key, std::uint32_t start, std::int64_t n, float probability, float* out);
};

const DrawRows& DrawRowsFor(Target target);

}  // namespace dynjax
