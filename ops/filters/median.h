// The element of a given rank, mostly the middle one, under a rectangle about each pixel.
#pragma once

#include <cstdint>

#include "base/simd.h"
#include "filters/plane_view.h"

namespace dynjax {

// The longest side of a window: memory grows with its area.
inline constexpr std::int64_t kLargestMedianWindow = 1024;

struct MedianWindow {
  std::int64_t rows = 3, columns = 3;       // at least 1
  std::int64_t anchor_y = 1, anchor_x = 1;  // what of the window lies on the pixel
  std::int64_t rank = 4;                    // below rows * columns

  bool IsMiddle(std::int64_t size) const {
    return rows == size && columns == size && anchor_y == size / 2 && anchor_x == size / 2 &&
           rank == size * size / 2;
  }
};

// Beyond the border the outermost pixels repeat. NaNs come last. Of equal elements, such as 0 and
// -0, the first in the window comes first. Any type but float16.
void Median(const PlaneView& in, const MedianWindow& window, void* out, std::int64_t out_step,
            Target instructions = BestTarget());

}  // namespace dynjax
