// An array in memory, of any element type and row-major order, possibly with gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/convert.h"

namespace dynjax {

// `strides` are in elements; the innermost one is 1.
struct StridedView {
  std::byte* data = nullptr;
  Pixel type = Pixel::kU8;
  std::span<const std::int32_t> extent;
  std::span<const std::int64_t> strides;
};

}  // namespace dynjax
