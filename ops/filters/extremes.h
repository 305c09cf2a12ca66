// The largest or the smallest value under a rectangle about each pixel.
#pragma once

#include <cstdint>

#include "base/simd.h"
#include "filters/border.h"
#include "filters/plane_view.h"

namespace dynjax {

struct ExtremesWindow {
  std::int64_t rows = 1, columns = 1;
  std::int64_t anchor_y = 0, anchor_x = 0;  // what of the window lies on the pixel
  Border border = Border::kConstant;        // a constant border is never the extreme
  bool largest = true;
};

// As often as `iterations` says. An empty window holds what never is the extreme: the type's
// lowest value or, for the smallest, its highest. NaNs are extreme. uint8, uint16 and float32.
void Extremes(const PlaneView& in, const ExtremesWindow& window, std::int64_t iterations, void* out,
              std::int64_t out_step, Target instructions = BestTarget());

}  // namespace dynjax
