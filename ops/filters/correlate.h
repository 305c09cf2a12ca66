// Correlation of a plane with a window of weights.
#pragma once

#include <cstdint>

#include "base/convert.h"
#include "base/simd.h"
#include "filters/border.h"
#include "filters/plane_view.h"

namespace dynjax {

struct CorrelationWindow {
  const float* weights = nullptr;  // rows x columns, rows `step` apart
  std::int64_t rows = 1, columns = 1, step = 1;
  std::int64_t anchor_y = 0, anchor_x = 0;  // the weight on the output pixel
  Border border = Border::kReflect101;
  float fill = 0;  // of a constant border
};

// out[y, x] = sum over i, j of weights[i, j] * in[y + i - anchor_y, x + j - anchor_x], in float32,
// rounded once, for out_height x out_width pixels.
void Correlate(const PlaneView& in, const CorrelationWindow& window, std::int64_t out_height,
               std::int64_t out_width, void* out, Pixel out_type, std::int64_t out_step,
               Target instructions = BestTarget());

}  // namespace dynjax
