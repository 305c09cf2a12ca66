// One element to and from float32: the definition that every target follows.
//
// Included by translation units that are compiled for different instruction sets, so that all
// functions have internal linkage: the linker must not hand one target's copy to another.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dynjax {

// IEEE binary16, as bits.
struct Half {
  std::uint16_t bits;
};

static inline float HalfToFloat(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = half.bits & 0x7fffu;
  std::uint32_t bits = 0;
  if (magnitude >= 0x7c00u) {  // infinity, NaN (made quiet)
    bits = 0x7f800000u | ((magnitude & 0x3ffu) << 13) | (magnitude > 0x7c00u ? 0x400000u : 0u);
  } else if (magnitude >= 0x400u) {
    bits = (magnitude << 13) + (112u << 23);
  } else {  // subnormal: an integer times 2^-24
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    std::memcpy(&bits, &value, sizeof(bits));
  }
  bits |= sign;
  float out = 0;
  std::memcpy(&out, &bits, sizeof(out));
  return out;
}

// Rounds to nearest, ties to even; overflow gives infinity.
static inline Half FloatToHalf(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {  // NaN, made quiet
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // rounds to 65536 or more
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {
    half = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  } else {
    // Adding 0.5 aligns the last kept bit with 2^-24 and lets the float unit round.
    float aligned = 0;
    std::memcpy(&aligned, &magnitude, sizeof(aligned));
    aligned += 0.5f;
    std::memcpy(&half, &aligned, sizeof(half));
    half -= 0x3f000000u;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

template <typename T>
static inline float ToFloat(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return HalfToFloat(value);
  } else {
    return static_cast<float>(value);
  }
}

// The largest float below one half: adding it and truncating rounds half away from zero for every
// float, where adding 0.5 would carry 0.49999997 to 1.
inline constexpr float kBelowHalf = 0x1.fffffep-2f;

// Integers: rounds half away from zero and saturates; NaN gives 0.
template <typename T>
static inline T FromFloat(float value) {
  if constexpr (std::is_same_v<T, Half>) {
    return FloatToHalf(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    constexpr T kMin = std::numeric_limits<T>::min();
    constexpr T kMax = std::numeric_limits<T>::max();
    // The float above the largest value: 2^k, exact.
    constexpr float kEnd = static_cast<float>(kMax / 2 + 1) * 2.0f;
    if (value != value) return 0;
    const float moved = value + (value < 0 ? -kBelowHalf : kBelowHalf);
    if (moved >= kEnd) return kMax;
    if (moved <= static_cast<float>(kMin)) return kMin;
    return static_cast<T>(moved);
  }
}

}  // namespace dynjax
