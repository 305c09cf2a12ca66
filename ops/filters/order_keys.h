// Elements as integers of their size and order, so that kernels that only compare need few types.
#pragma once

#include <cstdint>

#include "base/convert.h"

namespace dynjax {

// Where NaNs lie in the order. -0 lies before 0.
enum class NanPlace { kFirst, kLast };

// Whether elements are their keys.
constexpr bool AreKeys(Pixel type) {
  return type == Pixel::kU8 || type == Pixel::kI16 || type == Pixel::kI32;
}

// Keys are uint8, int16 and int32 for elements of 1, 2 and 4 bytes; float16 has none. A NaN comes
// back as some NaN.
template <typename Key>
void ToKeys(const void* in, Pixel type, std::int64_t n, NanPlace nans, Key* out);
template <typename Key>
void FromKeys(const Key* in, Pixel type, std::int64_t n, void* out);

}  // namespace dynjax
