// The arithmetic of normalisation on rows, per target. All targets give the same bits.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

struct NormalizeRows {
  // x[i] = (x[i] - mean[i * step]) * mul[i * step] + shift. `step` is 1 or 0.
  using Affine = void (*)(const float* mean, const float* mul, std::int64_t step, float shift,
                          std::int64_t n, float* x);
  // Three interleaved bytes a pixel to three normalised planes, of float32 or float16. `in` is the
  // pixel of lowest address; `reversed` writes the last one first.
  using Split = void (*)(const std::uint8_t* in, std::int64_t n, bool reversed, const float* mean,
                         const float* mul, float shift, void* const* planes);
  // The same to one interleaved row of float32.
  using Interleave = void (*)(const std::uint8_t* in, std::int64_t n, bool reversed,
                              const float* mean, const float* mul, float shift, float* out);

  Affine affine;
  Split split_f32, split_f16;
  Interleave interleave;
};

const NormalizeRows& NormalizeRowsFor(Target target);

}  // namespace dynjax
