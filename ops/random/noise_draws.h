// The noise of consecutive elements, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "random/noise_rows.h"
#include "random/normal_draws.h"
#include "random/poisson_draws.h"
#include "random/unit_draws.h"

namespace dynjax {
namespace {

inline void GaussianRow(Words key, std::uint32_t start, std::int64_t n, float mean, float stddev,
                        float* values) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    values[i] += std::fma(stddev, Normal(words), mean);
  }
}

inline void ShotRow(Words key, std::uint32_t start, std::int64_t n, float factor, float* values) {
  const float inverse = factor == 0 ? 0.0f : 1.0f / factor;
  PoissonBlock rates, counts;
  for (std::int64_t done = 0; done < n; done += kPoissonBlock) {
    const std::int64_t size = std::min(kPoissonBlock, n - done);
    for (std::int64_t i = 0; i < size; ++i) {
      const float rate = values[done + i] * inverse;
      rates[static_cast<std::size_t>(i)] = rate > 0 ? rate : 0.0f;
    }
    // Of what lies behind the end nothing is kept.
    std::fill(rates.begin() + size, rates.end(), kLargeRate);
    PoissonNumbers(key, start + static_cast<std::uint32_t>(done), rates, counts);
    for (std::int64_t i = 0; i < size; ++i) {
      values[done + i] = factor * counts[static_cast<std::size_t>(i)];
    }
  }
}

inline void SaltAndPepperRow(Words key, std::uint32_t start, std::int64_t n, float probability,
                             float salt_share, std::uint8_t* kinds) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    const int replaced = UnitOf(words.first) < probability ? 1 : 0;
    const int kind = UnitOf(words.second) < salt_share ? 1 : 2;
    kinds[i] = static_cast<std::uint8_t>(replaced * kind);
  }
}

template <typename T>
void ReplaceRow(const std::uint8_t* kinds, std::int64_t n, const void* in, const void* salt,
                const void* pepper, void* out) {
  const T *source = static_cast<const T*>(in), high = *static_cast<const T*>(salt),
          low = *static_cast<const T*>(pepper);
  T* target = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) {
    const T other = kinds[i] == 1 ? high : low;
    target[i] = kinds[i] == 0 ? source[i] : other;
  }
}

constexpr NoiseRows kNoiseRows{GaussianRow,
                               ShotRow,
                               SaltAndPepperRow,
                               {ReplaceRow<std::uint8_t>, ReplaceRow<std::uint16_t>,
                                ReplaceRow<std::uint32_t>, ReplaceRow<std::uint64_t>}};

}  // namespace
}  // namespace dynjax
