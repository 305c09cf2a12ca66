// Noise on consecutive elements of a sample.
#pragma once

#include <array>
#include <cstdint>

#include "base/simd.h"
#include "base/threefry.h"

namespace dynjax {

// Each of the first functions is for the elements from `start` on, `n` of them; `key` is the
// sample's.
struct NoiseRows {
  // Adds normal numbers.
  void (*gaussian)(Words key, std::uint32_t start, std::int64_t n, float mean, float stddev,
                   float* values);
  // Puts Poisson numbers of rate value / factor, times the factor; zeros if that is 0.
  void (*shot)(Words key, std::uint32_t start, std::int64_t n, float factor, float* values);
  // What becomes of each element: 0 nothing, 1 salt, 2 pepper.
  void (*salt_and_pepper)(Words key, std::uint32_t start, std::int64_t n, float probability,
                          float salt_share, std::uint8_t* kinds);
  // Follows the kinds, for elements of 1, 2, 4 and 8 bytes.
  std::array<void (*)(const std::uint8_t* kinds, std::int64_t n, const void* in, const void* salt,
                      const void* pepper, void* out),
             4>
      replace;
};

const NoiseRows& NoiseRowsFor(Target target);

}  // namespace dynjax
