// Resampling weights of one axis.
#pragma once

#include <cstdint>
#include <memory>

#include "base/array.h"

namespace dynjax {

// The values are those of the handler's `filter` operand.
enum class Filter : std::int32_t {
  kNearest = 0,
  kLinear = 1,
  kCubic = 2,
  kLanczos3 = 3,
  kTriangular = 4,  // as kLinear: the original, too, leaves antialiasing to the flag
  kGaussian = 5,
};
inline constexpr std::int32_t kFilters = 6;

// What a tap outside the image reads: the edge pixel, or nothing (the other weights are rescaled).
enum class Border : std::int32_t { kClamp = 0, kRenormalize = 1 };

// One axis: the window [lo, hi) of `in` pixels becomes `out` pixels; hi < lo mirrors.
// `in` and `out` are at least 1, `lo` and `hi` finite.
struct ResampleAxis {
  std::int32_t in = 1;
  std::int32_t out = 1;
  float lo = 0;
  float hi = 1;
  Filter filter = Filter::kLinear;
  bool antialias = true;
  Border border = Border::kClamp;
  // The last of the resampled axes; matters to kNearest alone, see BuildNearest.
  bool innermost = true;

  friend bool operator==(const ResampleAxis&, const ResampleAxis&) = default;
};

// Output `o` is the sum over k < count[o] of weights[o * width + k] * input[first[o] + k].
// All reads lie inside the input.
struct Taps {
  std::int32_t in = 0;
  std::int32_t out = 0;
  std::int32_t width = 0;
  Array<std::int32_t> first;
  Array<std::int32_t> count;
  Array<float> weights;

  // Every output copies one input.
  bool copies() const { return width == 1; }
  // Every output `o` copies input first[0] + o.
  bool shifts() const { return shifts_; }
  // The inputs that are read: [begin(), end()).
  std::int32_t begin() const { return begin_; }
  std::int32_t end() const { return end_; }
  // All counts are `width`.
  bool uniform() const { return uniform_; }
  // The mean number of taps.
  double mean_count() const { return mean_count_; }

  // Derives what the members above return.
  void Finish();

 private:
  bool shifts_ = false;
  bool uniform_ = false;
  std::int32_t begin_ = 0;
  std::int32_t end_ = 0;
  double mean_count_ = 1;
};

// Builds or recalls the weights. Recent results are kept per thread. nullptr: no memory for them.
//
// `padded` makes all counts equal to the width, with zero weights, which suits vector code; a NaN
// under such a weight would still spread, so that floating-point inputs ask for exact counts.
std::shared_ptr<const Taps> TapsFor(const ResampleAxis& axis, bool padded);

}  // namespace dynjax
