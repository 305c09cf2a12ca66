// An array in memory, of any element type, axis order and direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace dynjax
