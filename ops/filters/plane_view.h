// A plane of pixels as filters read it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/convert.h"

namespace dynjax {

// height x width pixels of `inner` elements side by side; rows begin `step` elements apart.
struct PlaneView {
  const void* data = nullptr;
  Pixel type = Pixel::kU8;
  std::int64_t height = 0, width = 0, inner = 1, step = 0;

  const std::byte* Row(std::int64_t y) const {
    return static_cast<const std::byte*>(data) + static_cast<std::size_t>(y * step) * Bytes(type);
  }
};

}  // namespace dynjax
