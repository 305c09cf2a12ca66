// The kernels of bands.h, compiled once per target. See lanes.h about linkage.
#pragma once

#include "audio/bands.h"
#include "audio/lanes.h"

namespace dynjax {
namespace {

template <int kValue>
struct Number {
  static constexpr int kCount = kValue;
};

// Eight columns.
inline void SumEight(const Bands& bands, const float* x, std::int64_t stride, float* out,
                     std::int64_t out_stride) {
  for (std::int64_t k = 0; k < bands.count; ++k) {
    const Band& band = bands.bands[k];
    Lanes sums = {};
    for (std::int64_t n = band.begin; n < band.end; ++n) {
      Lanes value;
      Load(x + n * stride, value);
      sums += value * band.weights[n - band.begin];
    }
    Store(sums, out + k * out_stride);
  }
}

// Adds `kRows` weighted rows to `sums`, or sets it to their sum. `columns`: a multiple of 8.
template <int kRows, bool kFirst>
inline void AddRows(const float* x, std::int64_t stride, const float* weights, std::int64_t columns,
                    float* sums) {
  for (std::int64_t c = 0; c < columns; c += kLanes) {
    Lanes sum = {};
    if constexpr (!kFirst) Load(sums + c, sum);
    for (int r = 0; r < kRows; ++r) {
      Lanes value;
      Load(x + r * stride + c, value);
      sum += value * weights[r];
    }
    Store(sum, sums + c);
  }
}

// Whole rows at a time, which memory delivers faster than short pieces of many.
inline void SumRows(const Band& band, const float* x, std::int64_t stride, std::int64_t columns,
                    float* sums) {
  constexpr int kRows = 4;
  std::int64_t n = band.begin;
  const auto add = [&](auto rows, auto first) {
    AddRows<decltype(rows)::kCount, decltype(first)::kCount != 0>(
        x + n * stride, stride, band.weights + (n - band.begin), columns, sums);
    n += decltype(rows)::kCount;
  };
  if (n + kRows <= band.end) {
    add(Number<kRows>(), Number<1>());
  } else if (n < band.end) {
    add(Number<1>(), Number<1>());
  } else {
    std::memset(sums, 0, static_cast<std::size_t>(columns) * sizeof(float));
  }
  while (n + kRows <= band.end) add(Number<kRows>(), Number<0>());
  if (n + 2 <= band.end) add(Number<2>(), Number<0>());
  if (n < band.end) add(Number<1>(), Number<0>());
}

inline void BandColumns(const Bands& bands, const float* x, std::int64_t stride,
                        std::int64_t columns, float* out, std::int64_t out_stride) {
  constexpr std::int64_t kChunk = 512;
  const std::int64_t whole = columns / kLanes * kLanes;
  for (std::int64_t c = 0; c < whole; c += kChunk) {
    const std::int64_t count = whole - c < kChunk ? whole - c : kChunk;
    for (std::int64_t k = 0; k < bands.count; ++k) {
      SumRows(bands.bands[k], x + c, stride, count, out + k * out_stride + c);
    }
  }
  if (whole == columns) return;
  if (columns >= kLanes) {
    SumEight(bands, x + columns - kLanes, stride, out + columns - kLanes, out_stride);
    return;
  }
  for (std::int64_t k = 0; k < bands.count; ++k) {
    const Band& band = bands.bands[k];
    for (std::int64_t c = 0; c < columns; ++c) {
      float sum = 0;
      for (std::int64_t n = band.begin; n < band.end; ++n) {
        sum += x[n * stride + c] * band.weights[n - band.begin];
      }
      out[k * out_stride + c] = sum;
    }
  }
}

inline void BandRows(const Bands& bands, const float* const* rows, std::int64_t size,
                     std::int64_t count, float* work, float* const* out) {
  std::int64_t n = 0;
  for (; n + kLanes <= size; n += kLanes) {
    Lanes x[kLanes];
    for (int k = 0; k < kLanes; ++k) Load(rows[k] + n, x[k]);
    Transpose(x);
    for (int k = 0; k < kLanes; ++k) Store(x[k], work + kLanes * (n + k));
  }
  for (; n < size; ++n) {
    for (int k = 0; k < kLanes; ++k) work[kLanes * n + k] = rows[k][n];
  }
  float* sums = work + kLanes * size;
  SumEight(bands, work, kLanes, sums, kLanes);
  std::int64_t b = 0;
  for (; b + kLanes <= bands.count; b += kLanes) {
    Lanes x[kLanes];
    for (int k = 0; k < kLanes; ++k) Load(sums + kLanes * (b + k), x[k]);
    Transpose(x);
    for (std::int64_t k = 0; k < count; ++k) Store(x[k], out[k] + b);
  }
  for (; b < bands.count; ++b) {
    for (std::int64_t k = 0; k < count; ++k) out[k][b] = sums[kLanes * b + k];
  }
}

constexpr BandKernels kOwnBandKernels = {BandColumns, BandRows};

}  // namespace
}  // namespace dynjax
