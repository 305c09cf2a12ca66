// Numbers of a beta distribution, compiled once per target: the arithmetic of
// dynjax/_ops/random/beta.py, operation by operation, so that both give the same bits.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "random/normal_draws.h"
#include "random/unit_draws.h"

namespace dynjax {
namespace {

// Numbers that are drawn side by side.
constexpr std::int64_t kBetaBlock = 64;
using BetaBlock = std::array<float, kBetaBlock>;

// What a gamma distribution's shape says about all its numbers.
struct GammaShape {
  explicit GammaShape(float shape)
      : d((shape < 1 ? shape + 1.0f : shape) - 0.333333333f),
        c(std::sqrt(9.0f * d) * (1.0f / (9.0f * d))),
        boost(shape < 1 ? 1.0f / shape : 0.0f),
        log_d(Logarithm(d)) {}

  float d, c, boost, log_d;
};

// Logarithms of gamma numbers (Marsaglia and Tsang). The two streams of an element share no words.
inline void LogGamma(Words key, std::uint32_t start, const GammaShape& shape, std::uint32_t stream,
                     BetaBlock& out) {
  constexpr std::uint32_t kMaxAttempts = 32;
  // The elements without a number, the first `left` of `places`; the rest of a vector is drawn too.
  std::array<std::uint32_t, kBetaBlock> places;
  std::array<std::int32_t, kBetaBlock> accepted;
  BetaBlock candidates;
  std::iota(places.begin(), places.end(), 0u);
  std::size_t left = kBetaBlock;
  for (std::uint32_t attempt = 0; attempt < kMaxAttempts && left > 0; ++attempt) {
    const std::uint32_t draw = 4 * attempt + 2 * stream;
    const std::size_t lanes = (left + 7) / 8 * 8;
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint32_t number = start + places[i];
      const float z = Normal(Block(key, number, draw));
      const float u = UnitOf(Block(key, number, draw + 1).first);
      const float v = std::fma(shape.c, z, 1.0f);
      const float power = v * v * v;
      const float cube = power > 1e-30f ? power : 1e-30f;
      const float log_v = Logarithm(cube);
      const float lower = std::fma(-(0.5f * z), z, Logarithm(u));
      candidates[i] = log_v;
      accepted[i] = static_cast<std::int32_t>(v > 0) &
                    static_cast<std::int32_t>(lower < shape.d * (1.0f - cube + log_v));
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; ++i) {
      const std::uint32_t place = places[i];
      out[place] = candidates[i];
      places[kept] = place;
      kept += static_cast<std::size_t>(1 - accepted[i]);
    }
    left = kept;
  }
  // None is left: so many attempts fail once in 10^40 elements.
  for (std::size_t i = 0; i < kBetaBlock; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i), 0x80000000u + stream);
    out[i] = std::fma(Logarithm(RadiusOf(words.first)), shape.boost, shape.log_d + out[i]);
  }
}

// 1 / (1 + exp(x)); beyond 87 the exponential would leave float32.
inline float InverseOfOneAndExp(float x) {
  const float low = x > -87.0f ? x : -87.0f;
  const float inside = low < 87.0f ? low : 87.0f;
  const float whole = std::floor(std::fma(inside, 1.44269504f, 0.5f));
  const float r = std::fma(-whole, 0.693147182f, inside);
  const auto scale = std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) * (1 << 23));
  const float slope =
      Polynomial(r, 1.0f, 0.49999994f, 0.166664317f, 0.0416680053f, 0.00837415271f, 0.00138435105f);
  return 1.0f / std::fma(std::fma(r, slope, 1.0f), scale, 1.0f);
}

inline void BetaRow(Words key, std::uint32_t start, std::int64_t n, float alpha, float beta,
                    float* out) {
  const GammaShape first(alpha), second(beta);
  BetaBlock a, b;
  for (std::int64_t done = 0; done < n; done += kBetaBlock) {
    const std::uint32_t number = start + static_cast<std::uint32_t>(done);
    LogGamma(key, number, first, 0, a);
    LogGamma(key, number, second, 1, b);
    for (std::size_t i = 0; i < kBetaBlock; ++i) a[i] = InverseOfOneAndExp(b[i] - a[i]);
    std::copy_n(a.begin(), std::min(kBetaBlock, n - done), out + done);
  }
}

}  // namespace
}  // namespace dynjax
