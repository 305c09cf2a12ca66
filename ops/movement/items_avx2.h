// Only to be called where base/simd.h found AVX2. Each moves what it can in vectors and returns how
// many items it moved, from the first; the rest is left to the caller.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dynjax {

// Item i of the result is the one `i` items before `in`. Items of 1, 2, 3, 4 or 8 bytes.
std::int64_t ReverseItemsAvx2(const std::byte* in, std::byte* out, std::int64_t count,
                              std::size_t bytes);

// Pixels of three bytes to three planes of `plane` bytes' distance, and back.
std::int64_t SplitRgbAvx2(const std::byte* in, std::byte* out, std::int64_t plane,
                          std::int64_t count);
std::int64_t JoinRgbAvx2(const std::byte* in, std::int64_t plane, std::byte* out,
                         std::int64_t count);

}  // namespace dynjax
