// Weighted sums over ranges of elements, such as mel bands of a spectrum, per target.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// The elements from `begin` to before `end` and the weight of each.
struct Band {
  std::int64_t begin = 0, end = 0;
  const float* weights = nullptr;
};

struct Bands {
  const Band* bands = nullptr;
  std::int64_t count = 0;
};

struct BandKernels {
  // out[k * out_stride + c] = sum_n weights[n] x[n * stride + c] for `columns` columns c.
  using Columns = void (*)(const Bands& bands, const float* x, std::int64_t stride,
                           std::int64_t columns, float* out, std::int64_t out_stride);
  // out[k * out_stride] and so on for eight rows at `rows` of `size` elements side by side, of
  // which the first `count` are wanted. `work`: 8 (size + bands.count) floats, aligned to 32 bytes.
  using Rows = void (*)(const Bands& bands, const float* const* rows, std::int64_t size,
                        std::int64_t count, float* work, float* const* out);
  Columns columns;
  Rows rows;
};

const BandKernels& BandKernelsFor(Target target);

}  // namespace dynjax
