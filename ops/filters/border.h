// What filters read beyond the border. The numbers are those of `_ops/_lib/borders.py`.
#pragma once

#include <algorithm>
#include <cstdint>

namespace dynjax {

enum class Border : std::int32_t { kReflect101, kReflect1001, kWrap, kClamp, kConstant };
inline constexpr std::int32_t kBorders = 5;

// The element of [0, extent) that stands for `index`; -1 where that is a constant.
inline std::int64_t BorderIndex(std::int64_t index, std::int64_t extent, Border border) {
  if (index >= 0 && index < extent) return index;
  const auto modulo = [](std::int64_t x, std::int64_t period) {
    const std::int64_t rest = x % period;
    return rest < 0 ? rest + period : rest;
  };
  switch (border) {
    case Border::kReflect101: {
      if (extent == 1) return 0;
      const std::int64_t period = 2 * extent - 2, at = modulo(index, period);
      return std::min(at, period - at);
    }
    case Border::kReflect1001: {
      const std::int64_t period = 2 * extent, at = modulo(index, period);
      return std::min(at, period - 1 - at);
    }
    case Border::kWrap:
      return modulo(index, extent);
    case Border::kClamp:
      return std::clamp<std::int64_t>(index, 0, extent - 1);
    case Border::kConstant:
      break;
  }
  return -1;
}

}  // namespace dynjax
