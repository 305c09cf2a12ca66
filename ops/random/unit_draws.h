// Random words and uniform numbers, compiled once per target.
//
// The words of element j are block j of Threefry under the sample's key.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cstdint>

#include "base/threefry.h"

namespace dynjax {
namespace {

template <int r>
inline void Mix(std::uint32_t& a, std::uint32_t& b) {
  a += b;
  b = a ^ ((b << r) | (b >> (32 - r)));
}

// Threefry2x32 without loops, which would keep the compiler from computing blocks side by side.
// `draw` tells several draws of one element apart.
inline Words Block(Words key, std::uint32_t number, std::uint32_t draw = 0) {
  const std::uint32_t first = key.first, second = key.second;
  const std::uint32_t third = first ^ second ^ 0x1BD11BDAu;
  std::uint32_t a = draw + first, b = number + second;
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

// [0, 1): the upper 24 bits.
inline float UnitOf(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int32_t>(word >> 8)) * 0x1p-24f;
}

// The same of both words.
inline float Unit(Words words) { return UnitOf(words.first ^ words.second); }

// [0, 1): 53 bits of both words.
inline double UnitDouble(Words words) {
  const double high = static_cast<double>(static_cast<std::int32_t>(words.first >> 5)) * 0x1p26;
  const double low = static_cast<double>(static_cast<std::int32_t>(words.second >> 6));
  return (high + low) * 0x1p-53;
}

}  // namespace
}  // namespace dynjax
