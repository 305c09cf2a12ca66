// An array in memory, of any element type, axis order and direction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "movement/element.h"

namespace dynjax {

inline constexpr std::size_t kMaxViewRank = 8;

// `strides` are in elements.
struct ArrayView {
  std::byte* data = nullptr;
  Element type = Element::kU8;
  std::span<const std::int32_t> extent;
  std::span<const std::int64_t> strides;
};

// Whether they are axes of an array of `rank`, each at most once.
inline bool AreAxes(std::span<const int> axes, std::size_t rank) {
  std::array<bool, kMaxViewRank> seen{};
  for (const int axis : axes) {
    if (axis < 0 || axis >= static_cast<int>(rank) ||
        std::exchange(seen[static_cast<std::size_t>(axis)], true)) {
      return false;
    }
  }
  return true;
}

}  // namespace dynjax
