// One element as another: the definition that every target follows.
//
// Included by translation units that are compiled for different instruction sets, so that all
// functions have internal linkage: the linker must not hand one target's copy to another.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/scalar_convert.h"
#include "movement/convert.h"

namespace dynjax {
namespace {

// The upper half of a float32, as bits.
struct BFloat {
  std::uint16_t bits;
};

inline float BFloatToFloat(BFloat value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16;
  float out = 0;
  std::memcpy(&out, &bits, sizeof(out));
  return out;
}

// Rounds to nearest, ties to even.
inline BFloat FloatToBFloat(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>(bits >> 16)};
}

// A double as a float that rounds like the double when it is rounded again: the last bit of an
// inexact result is set (rounding to odd).
inline float RoundedToOdd(double value) {
  auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || std::isnan(rounded) || std::isinf(rounded)) {
    return rounded;
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, &rounded, sizeof(bits));
  if ((bits & 1u) == 0) {
    const bool too_large = std::fabs(static_cast<double>(rounded)) > std::fabs(value);
    bits = too_large ? bits - 1u : bits + 1u;
    std::memcpy(&rounded, &bits, sizeof(rounded));
  }
  return rounded;
}

template <typename T>
constexpr bool kIsReal =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

// The value in a type that has arithmetic.
template <typename T>
inline auto Plain(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return HalfToFloat(value);
  } else if constexpr (std::is_same_v<T, BFloat>) {
    return BFloatToFloat(value);
  } else {
    return value;
  }
}

template <typename To, typename From>
inline To RealToInteger(From value) {
  constexpr To kMin = std::numeric_limits<To>::min();
  constexpr To kMax = std::numeric_limits<To>::max();
  constexpr bool kWideSigned = std::is_signed_v<To> && sizeof(To) >= 4;
  // Adding the number just below one half and truncating rounds half away from zero.
  constexpr From kBelow = std::is_same_v<From, float> ? static_cast<From>(0x1.fffffep-2f)
                                                      : static_cast<From>(0x1.fffffffffffffp-2);
  constexpr From kEnd = static_cast<From>(kMax / 2 + 1) * From{2};
  if (value != value) return kWideSigned ? kMin : To{0};
  const From moved = value + (value < 0 ? -kBelow : kBelow);
  if (moved >= kEnd) return kMax;
  if (moved <= static_cast<From>(kMin)) return kMin;
  return static_cast<To>(moved);
}

template <typename To, typename From>
inline To IntegerToInteger(From value) {
  constexpr To kMin = std::numeric_limits<To>::min();
  constexpr To kMax = std::numeric_limits<To>::max();
  if (std::cmp_less(value, kMin)) return kMin;
  if (std::cmp_greater(value, kMax)) return kMax;
  return static_cast<To>(value);
}

// bool is handled as its byte.
struct Bool {
  std::uint8_t byte;
};

template <typename To, typename From>
inline To ConvertedTo(From given) {
  if constexpr (std::is_same_v<From, Bool>) {
    return ConvertedTo<To, std::uint8_t>(static_cast<std::uint8_t>(given.byte != 0));
  } else if constexpr (std::is_same_v<To, Bool>) {
    const auto value = Plain(given);
    if constexpr (kIsReal<From>) {
      return {static_cast<std::uint8_t>(!(std::fabs(value) < 0.5f))};  // NaN is not 0 either
    } else {
      return {static_cast<std::uint8_t>(value != 0)};
    }
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat>) {
    const auto value = Plain(given);
    float narrow = 0;
    if constexpr (std::is_same_v<From, double> && std::is_same_v<To, Half>) {
      narrow = RoundedToOdd(value);
    } else {
      narrow = static_cast<float>(value);
    }
    if constexpr (std::is_same_v<To, Half>) {
      return FloatToHalf(narrow);
    } else {
      return FloatToBFloat(narrow);
    }
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(Plain(given));
  } else if constexpr (kIsReal<From>) {
    return RealToInteger<To>(Plain(given));
  } else {
    return IntegerToInteger<To>(given);
  }
}

template <typename From, typename To>
void ConvertElements(const void* in, std::int64_t n, void* out) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(out, in, static_cast<std::size_t>(n) * sizeof(To));
  } else {
    const auto* __restrict source = static_cast<const From*>(in);
    auto* __restrict target = static_cast<To*>(out);
    for (std::int64_t i = 0; i < n; ++i) target[i] = ConvertedTo<To, From>(source[i]);
  }
}

using ConvertTable = std::array<std::array<ConvertRow, kElements>, kElements>;

template <typename From>
constexpr std::array<ConvertRow, kElements> ConvertersFrom() {
  return {ConvertElements<From, Bool>,         ConvertElements<From, std::uint8_t>,
          ConvertElements<From, std::int8_t>,  ConvertElements<From, std::uint16_t>,
          ConvertElements<From, std::int16_t>, ConvertElements<From, std::uint32_t>,
          ConvertElements<From, std::int32_t>, ConvertElements<From, std::uint64_t>,
          ConvertElements<From, std::int64_t>, ConvertElements<From, Half>,
          ConvertElements<From, BFloat>,       ConvertElements<From, float>,
          ConvertElements<From, double>};
}

constexpr ConvertTable AllConverters() {
  return {ConvertersFrom<Bool>(),         ConvertersFrom<std::uint8_t>(),
          ConvertersFrom<std::int8_t>(),  ConvertersFrom<std::uint16_t>(),
          ConvertersFrom<std::int16_t>(), ConvertersFrom<std::uint32_t>(),
          ConvertersFrom<std::int32_t>(), ConvertersFrom<std::uint64_t>(),
          ConvertersFrom<std::int64_t>(), ConvertersFrom<Half>(),
          ConvertersFrom<BFloat>(),       ConvertersFrom<float>(),
          ConvertersFrom<double>()};
}

}  // namespace
}  // namespace dynjax
