// Interpolation of a Bayer mosaic.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// How a mosaic is interpolated. The numbers are those of `_ops/_lib/mosaic.py`.
enum class Demosaic : std::int32_t {
  kBilinear,
  kEdgeAware,  // green along the direction in which it changes less
  kGradients,  // colour/mosaic_gradients.h; of bytes only
  kGrey,       // the luma of kBilinear, rounded once: one element a pixel
};
inline constexpr std::int32_t kDemosaics = 4;

inline constexpr std::int64_t ChannelsOf(Demosaic method) {
  return method == Demosaic::kGrey ? 1 : 3;
}

// A mosaic of height x width elements (both even), rows `in_step` elements apart, to interleaved
// pixels of ChannelsOf(method). The first channel of the result is that of the elements at
// (first_y, first_x) of each 2 x 2 tile, the last that of those diagonally opposite. T: uint8 or
// uint16.
template <typename T>
void Debayer(Demosaic method, const T* in, std::int64_t in_step, std::int64_t height,
             std::int64_t width, std::int32_t first_y, std::int32_t first_x, T* out,
             std::int64_t out_step, Target instructions = BestTarget());

}  // namespace dynjax
