// Interpolation of a Bayer mosaic by a variable number of gradients.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// A mosaic smaller than this has no room for gradients.
inline constexpr std::int64_t kGradientSide = 8;

// Elements behind a plane's own that a row kernel may read.
inline constexpr std::int64_t kGradientSlack = 16;

// The five rows about the output row: the even and the odd columns of each, with two columns
// mirrored on either side.
struct GradientRows {
  const std::int16_t* planes[5][2];
  bool has_first;      // the row holds elements of the first channel; else of the last
  std::int32_t phase;  // the parity of the columns of those elements
};

// As Debayer, of at least kGradientSide elements a side. The border is mirrored about the outermost
// elements.
void DebayerByGradients(const std::uint8_t* in, std::int64_t in_step, std::int64_t height,
                        std::int64_t width, std::int32_t first_y, std::int32_t first_x,
                        std::uint8_t* out, std::int64_t out_step, Target instructions);

}  // namespace dynjax
