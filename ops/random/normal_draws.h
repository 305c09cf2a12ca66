// Normally distributed numbers, compiled once per target: the arithmetic of
// dynjax/_ops/_lib/normal_draws.py, operation by operation, so that both give the same bits.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/threefry.h"

namespace dynjax {
namespace {

// The sum of coefficient k times x^k, by Horner's rule.
inline float Polynomial(float /*x*/, float last) { return last; }
template <typename... More>
inline float Polynomial(float x, float first, More... more) {
  return std::fma(Polynomial(x, more...), x, first);
}

// Of normal numbers > 0.
inline float Logarithm(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0f;
  const float slope = Polynomial(f, -0.499999911f, 0.333339632f, -0.25001812f, 0.199615926f,
                                 -0.16568619f, 0.149215549f, -0.143242717f, 0.0874580517f);
  const float rest = std::fma(f * f, slope, f);
  return std::fma(static_cast<float>(exponent), 0.693147182f, rest);
}

// (0, 1]: the upper 31 bits.
inline float RadiusOf(std::uint32_t word) {
  return (static_cast<float>(static_cast<std::int32_t>(word >> 1)) + 1.0f) * 0x1p-31f;
}

// Standard normal (Box and Muller).
inline float Normal(Words words) {
  const auto part = static_cast<float>(static_cast<std::int32_t>(words.second) >> 8);
  const float turn = 0.25f - std::fabs(part) * 0x1p-24f;
  const float sine = turn * Polynomial(turn * turn, 6.28318548f, -41.3416786f, 81.6022263f,
                                       -76.5749664f, 39.7108307f);
  return std::sqrt(-2.0f * Logarithm(RadiusOf(words.first))) * sine;
}

}  // namespace
}  // namespace dynjax
