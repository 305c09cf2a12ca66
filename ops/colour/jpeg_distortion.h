// What JPEG does to a picture, without the file between.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// RGB images of height x width interleaved pixels, rows `step` bytes apart. The result equals that
// of encoding with libjpeg (quality 1 to 100, chroma at half the resolution) and decoding. `out`
// may not overlap `in`.
void DistortAsJpeg(const std::uint8_t* in, std::int64_t in_step, std::int64_t height,
                   std::int64_t width, std::int32_t quality, std::uint8_t* out,
                   std::int64_t out_step, Target instructions = BestTarget());

}  // namespace dynjax
