// Poisson distributed numbers, compiled once per target: the arithmetic of
// dynjax/_ops/_lib/poisson_draws.py, operation by operation, so that both give the same bits.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "random/normal_draws.h"
#include "random/unit_draws.h"

namespace dynjax {
namespace {

// Rates from here on are drawn through a normal number.
constexpr float kLargeRate = 10.0f;
// Numbers that are drawn side by side.
constexpr std::int64_t kPoissonBlock = 64;
using PoissonBlock = std::array<float, kPoissonBlock>;

// A count of rate >= 10 from a normal number.
inline float PoissonOfNormal(float rate, float w) {
  const float root = std::sqrt(rate), inverse = 1.0f / rate;
  const float quotient = w * (root * inverse);
  const float s = quotient > -1.3f ? quotient : -1.3f;
  const float squared =
      Polynomial(s, 0.1666096f, -0.0138628529f, 0.00407041656f, -0.00112635607f, 5.50561817e-05f,
                 -0.000512721715f, 0.000485843251f, -0.000120886703f);
  const float plain = Polynomial(s, 0.333464086f, -0.027766997f, 0.00943572074f, -0.00694664568f,
                                 -0.00125910272f, 0.0038378539f);
  const float divided = Polynomial(s, -0.0213266164f, 0.0238974635f, -0.0122242132f);
  const float offset =
      std::fma(w, root, std::fma(w * w, squared, std::fma(divided, inverse, plain)));
  const float count = std::floor(rate + offset);
  return count > 0 ? count : 0.0f;
}

// exp(-rate) for rates from 0 to 10.
inline float ProbabilityOfNone(float rate) {
  const float part = rate * 0.0625f;
  const float slope = Polynomial(part, 0.99999994f, -0.499997735f, 0.166642725f, -0.0415500924f,
                                 0.00804346055f, -0.00102464401f);
  float value = std::fma(-part, slope, 1.0f);
  for (int k = 0; k < 4; ++k) value *= value;
  return value;
}

// Counts of rates < 10 from uniform numbers, which are used up.
inline void PoissonOfUniform(const PoissonBlock& rates, PoissonBlock& rest, PoissonBlock& counts) {
  // Probabilities below this are less than what the 24 bits of a uniform number tell apart.
  constexpr float kLeast = 0x1p-25f;
  PoissonBlock terms;
  for (std::size_t i = 0; i < kPoissonBlock; ++i) {
    terms[i] = ProbabilityOfNone(rates[i]);
    counts[i] = 0;
  }
  // A count that differs from `k` has come to its end.
  std::int32_t more = 1;
  for (float k = 0; more != 0; k += 1.0f) {
    more = 0;
    for (std::size_t i = 0; i < kPoissonBlock; ++i) {
      const std::int32_t inside = static_cast<std::int32_t>(counts[i] == k) &
                                  static_cast<std::int32_t>(rest[i] >= terms[i]) &
                                  static_cast<std::int32_t>(terms[i] >= kLeast);
      counts[i] += static_cast<float>(inside);
      more |= inside;
      rest[i] -= terms[i];
      // The product is divided before it is subtracted: no compiler can join the two.
      terms[i] = terms[i] * rates[i] / (k + 1.0f);
    }
  }
}

// Counts of any rates >= 0, for the elements from `start` on.
inline void PoissonNumbers(Words key, std::uint32_t start, const PoissonBlock& rates,
                           PoissonBlock& counts) {
  PoissonBlock few, uniform;
  for (std::size_t i = 0; i < kPoissonBlock; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    const float rate = rates[i];
    few[i] = rate >= kLargeRate ? 0.0f : rate;
    uniform[i] = UnitOf(words.first);
    counts[i] = PoissonOfNormal(rate >= kLargeRate ? rate : kLargeRate, Normal(words));
  }
  if (std::all_of(rates.begin(), rates.end(), [](float rate) { return rate >= kLargeRate; })) {
    return;
  }
  PoissonBlock small;
  PoissonOfUniform(few, uniform, small);
  for (std::size_t i = 0; i < kPoissonBlock; ++i) {
    counts[i] = rates[i] >= kLargeRate ? counts[i] : small[i];
  }
}

}  // namespace
}  // namespace dynjax
