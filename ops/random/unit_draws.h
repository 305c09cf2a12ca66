// The random numbers of consecutive elements, compiled once per target.
//
// The words of element j are block j of Threefry under the sample's key. A product and its sum are
// one multiply-add on every target: that is what XLA makes of the JAX form.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/threefry.h"
#include "random/draw_rows.h"

namespace dynjax {
namespace {

template <int r>
inline void Mix(std::uint32_t& a, std::uint32_t& b) {
  a += b;
  b = a ^ ((b << r) | (b >> (32 - r)));
}

// Threefry2x32 without loops, which would keep the compiler from computing blocks side by side.
inline Words Block(Words key, std::uint32_t number) {
  const std::uint32_t first = key.first, second = key.second;
  const std::uint32_t third = first ^ second ^ 0x1BD11BDAu;
  std::uint32_t a = first, b = number + second;
  Mix<13>(a, b), Mix<15>(a, b), Mix<26>(a, b), Mix<6>(a, b);
  a += second, b += third + 1;
  Mix<17>(a, b), Mix<29>(a, b), Mix<16>(a, b), Mix<24>(a, b);
  a += third, b += first + 2;
  Mix<13>(a, b), Mix<15>(a, b), Mix<26>(a, b), Mix<6>(a, b);
  a += first, b += second + 3;
  Mix<17>(a, b), Mix<29>(a, b), Mix<16>(a, b), Mix<24>(a, b);
  a += second, b += third + 4;
  Mix<13>(a, b), Mix<15>(a, b), Mix<26>(a, b), Mix<6>(a, b);
  return {a + third, b + first + 5};
}

// [0, 1): the upper 24 bits of both words.
inline float Unit(Words words) {
  const auto bits = static_cast<std::int32_t>((words.first ^ words.second) >> 8);
  return static_cast<float>(bits) * 0x1p-24f;
}

// [0, 1): 53 bits of both words.
inline double UnitDouble(Words words) {
  const double high = static_cast<double>(static_cast<std::int32_t>(words.first >> 5)) * 0x1p26;
  const double low = static_cast<double>(static_cast<std::int32_t>(words.second >> 6));
  return (high + low) * 0x1p-53;
}

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

inline void FlipRow(Words key, std::uint32_t start, std::int64_t n, float probability, float* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = Block(key, start + static_cast<std::uint32_t>(i));
    out[i] = Unit(words) < probability ? 1.0f : 0.0f;
  }
}

constexpr DrawRows kRows{RangeRow, RangeRowDouble, FlipRow};

}  // namespace
}  // namespace dynjax
