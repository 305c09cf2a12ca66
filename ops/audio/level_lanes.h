// The kernels of levels.h, compiled once per target. See lanes.h about linkage.
#pragma once

#include "audio/lanes.h"
#include "audio/levels.h"

namespace dynjax {
namespace {

inline void Differences(const float* x, std::int64_t n, float before, float part, float* out) {
  if (n < 1) return;
  out[0] = x[0] - part * before;
  std::int64_t k = 1;
  for (; k + kLanes <= n; k += kLanes) {
    Lanes value, previous;
    Load(x + k, value);
    Load(x + k - 1, previous);
    Store(value - previous * part, out + k);
  }
  for (; k < n; ++k) out[k] = x[k] - part * x[k - 1];
}

inline float LargestOf(const float* x, std::int64_t n, float least) {
  Lanes best = Lanes{} + least;
  std::int64_t k = 0;
  for (; k + kLanes <= n; k += kLanes) {
    Lanes value;
    Load(x + k, value);
    best = value > best ? value : best;
  }
  for (int j = 0; j < kLanes; ++j) least = best[j] > least ? best[j] : least;
  for (; k < n; ++k) least = x[k] > least ? x[k] : least;
  return least;
}

// log10 of positive normal numbers: the exponent, and a polynomial in the mantissa between the
// square roots of 1/2 and 2, the one of Cephes' `logf`. Exact to 2 units in the last place.
inline void Log10(Lanes& x) {
  IntLanes bits;
  std::memcpy(&bits, &x, sizeof(bits));
  IntLanes exponent = ((bits >> 23) & 0xff) - 126;
  bits = (bits & 0x007fffff) | 0x3f000000;
  Lanes m;
  std::memcpy(&m, &bits, sizeof(m));
  const IntLanes low = m < 0.70710678118654752440f;  // -1 where it holds
  exponent += low;
  m = low ? m + m : m;
  m -= 1.0f;
  const Lanes e = __builtin_convertvector(exponent, Lanes);
  const Lanes z = m * m;
  Lanes y = m * 7.0376836292e-2f - 1.1514610310e-1f;
  y = y * m + 1.1676998740e-1f;
  y = y * m - 1.2420140846e-1f;
  y = y * m + 1.4249322787e-1f;
  y = y * m - 1.6668057665e-1f;
  y = y * m + 2.0000714765e-1f;
  y = y * m - 2.4999993993e-1f;
  y = y * m + 3.3333331174e-1f;
  y = y * m * z - z * 0.5f;
  // log10(e) and log10(2) in two parts each, so that the products lose nothing.
  constexpr float kLogE = 4.3432617188e-1f, kLogERest = -3.1689971242e-5f;
  constexpr float kLog2 = 3.0078125e-1f, kLog2Rest = 2.4874566398e-4f;
  Lanes result = (m + y) * kLogERest;
  result += e * kLog2Rest;
  result += y * kLogE;
  result += m * kLogE;
  x = result + e * kLog2;
}

inline void ToDecibels(float multiplier, float reference, float least, Lanes& x) {
  const Lanes ratio = x / reference;
  const IntLanes small = ratio < least;
  x = small ? Lanes{} + least : ratio;
  Log10(x);
  const IntLanes plain = ratio - ratio == 0.0f;  // neither NaN nor infinite: those stay
  x = (plain ? x : ratio) * multiplier;
}

inline void ToDecibels(const float* x, std::int64_t n, float multiplier, float reference,
                       float least, float* out) {
  Lanes value = {};
  std::int64_t k = 0;
  for (; k + kLanes <= n; k += kLanes) {
    Load(x + k, value);
    ToDecibels(multiplier, reference, least, value);
    Store(value, out + k);
  }
  const auto rest = static_cast<std::size_t>(n - k) * sizeof(float);
  if (rest == 0) return;
  std::memcpy(&value, x + k, rest);
  ToDecibels(multiplier, reference, least, value);
  std::memcpy(out + k, &value, rest);
}

constexpr LevelKernels kOwnLevelKernels = {Differences, LargestOf, ToDecibels};

}  // namespace
}  // namespace dynjax
