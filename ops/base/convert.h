// Rows of any element type to and from float32, per target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// The element types that the pixel kernels know.
enum class Pixel { kU8, kI8, kU16, kI16, kU32, kI32, kF16, kF32 };
inline constexpr std::size_t kPixels = 8;

constexpr std::size_t Bytes(Pixel type) {
  constexpr std::array<std::size_t, kPixels> kBytes{1, 1, 2, 2, 4, 4, 2, 4};
  return kBytes[static_cast<std::size_t>(type)];
}

// `n` elements each. `store` rounds half away from zero and saturates; NaN becomes 0.
struct Converters {
  using Load = void (*)(const void* in, std::int64_t n, float* out);
  using Store = void (*)(const float* in, std::int64_t n, void* out);
  std::array<Load, kPixels> load;
  std::array<Store, kPixels> store;
};

const Converters& ConvertersFor(Target target);

}  // namespace dynjax
