// A matrix applied to the channels of each pixel.
#pragma once

#include <cstdint>

#include "base/convert.h"
#include "base/simd.h"

namespace dynjax {

inline constexpr int kMaxMatrixChannels = 4;

// `rows`: for each channel of the result its factors, then its offset. At most
// kMaxMatrixChannels channels on either side.
struct ColorMatrix {
  int inputs = 3, outputs = 3;
  const float* rows = nullptr;
};

// out = rounded(rows * in + offset) for `n` pixels, channels side by side; float32 sums, each step
// a fused multiply-add.
void ApplyColorMatrix(const void* in, Pixel in_type, std::int64_t n, const ColorMatrix& matrix,
                      Pixel out_type, void* out, Target instructions = BestTarget());

}  // namespace dynjax
