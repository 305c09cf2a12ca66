// Crop, horizontal flip, normalisation and transposition in one pass over the output.
#pragma once

#include <cstdint>
#include <span>

#include "base/simd.h"
#include "base/strided_view.h"

namespace dynjax {

inline constexpr std::size_t kMaxNormalizeRank = 8;

// What all samples of a call have in common.
struct NormalizeLayout {
  std::span<const int> perm;  // output axis a is input axis perm[a]
  int channel_axis = -1;      // input axes; -1: none
  int mirror_axis = -1;
  float shift = 0;
  std::span<const float> fill;  // one value per output channel, in output units
};

// What a sample has of its own.
struct NormalizeWindow {
  std::span<const std::int32_t> anchor;  // per input axis; its size is the target's extent
  bool mirror = false;
  std::span<const float> mean, mul;  // one value per input channel
};

// target = rounded((source - mean) * mul + shift), in float32, the product and sum as one fused
// multiply-add, so that all targets agree to the bit.
//
// Where the window leaves the source, the target is `fill` (cut to whole numbers for integers).
// Channels that the source lacks are 0 inside the window.
void CropMirrorNormalize(const StridedView& source, const StridedView& target,
                         const NormalizeLayout& layout, const NormalizeWindow& window,
                         Target instructions = BestTarget());

}  // namespace dynjax
