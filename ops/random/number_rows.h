// The random numbers of consecutive elements, compiled once per target.
//
// A product and its sum are one multiply-add on every target: that is what XLA makes of the JAX
// form. Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cmath>
#include <cstdint>

#include "random/beta_draws.h"
#include "random/draw_rows.h"
#include "random/normal_draws.h"
#include "random/unit_draws.h"

namespace dynjax {
namespace {

// The sum may round up to the end, which is excluded.
inline void RangeRow(Words key, std::uint32_t start, std::int64_t n, float low, float high,
                     float* out) {
  const float width = high - low, last = std::nextafter(high, low);
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    const float value = std::fma(Unit(words), width, low);
    out[i] = value < high ? value : last;
  }
}

inline void RangeRowDouble(Words key, std::uint32_t start, std::int64_t n, double low, double high,
                           double* out) {
  const double width = high - low, last = std::nextafter(high, low);
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    const double value = std::fma(UnitDouble(words), width, low);
    out[i] = value < high ? value : last;
  }
}

inline void NormalRow(Words key, std::uint32_t start, std::int64_t n, float mean, float stddev,
                      float* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    out[i] = std::fma(stddev, Normal(words), mean);
  }
}

inline void FlipRow(Words key, std::uint32_t start, std::int64_t n, float probability, float* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    out[i] = Unit(words) < probability ? 1.0f : 0.0f;
  }
}

constexpr DrawRows kRows{RangeRow, RangeRowDouble, NormalRow, BetaRow, FlipRow};

}  // namespace
}  // namespace dynjax
