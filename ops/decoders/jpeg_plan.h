// Which parts of a JPEG picture are computed, and in what sizes.
#pragma once

#include <array>

#include "decoders/jpeg_stream.h"
#include "decoders/region.h"

namespace dynjax {

struct JpegPlan {
  struct Plane {
    std::int32_t block = 8;              // samples along each side of what a block becomes
    std::int32_t width = 0, height = 0;  // samples of the whole picture
    std::int32_t unit_width = 0, unit_height = 0;  // samples of a coded unit
  };

  Region part;
  std::int32_t height = 0;  // of the whole result
  bool has_chroma = false;
  std::array<Plane, 3> planes;
  // Chroma samples are fewer than pixels by a factor of two.
  bool is_half_across = false, is_half_down = false;

  // Coded units of the picture, and those whose samples the part depends on: the triangle filter
  // of the chroma looks one sample further.
  std::int32_t units_across = 0, units_down = 0;
  std::int32_t first_column = 0, end_column = 0;
  std::int32_t first_row = 0, end_row = 0;
  // Units whose luma blocks make up pairs; `first_column` is a multiple of it.
  std::int32_t step = 1;

  bool ReachesEnd() const { return part.y + part.height == height; }
};

// `part` is one of the result, which has `scale` eighths of the picture's size. False for what the
// decoder leaves to libjpeg.
bool MakeJpegPlan(const JpegFrame& frame, bool is_gray, const Region& part, std::int32_t scale,
                  JpegPlan* plan);

}  // namespace dynjax
