// Bilinear interpolation of a Bayer mosaic.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// A mosaic of height x width elements (both even), rows `in_step` elements apart, to interleaved
// pixels of three. The first channel of the result is that of the elements at (first_y, first_x) of
// each 2 x 2 tile, the last that of those diagonally opposite. T: uint8 or uint16.
template <typename T>
void Debayer(const T* in, std::int64_t in_step, std::int64_t height, std::int64_t width,
             std::int32_t first_y, std::int32_t first_x, T* out, std::int64_t out_step,
             Target instructions = BestTarget());

}  // namespace dynjax
