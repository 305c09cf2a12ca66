// x * gain + offset, rounded and saturated.
#pragma once

#include <cstdint>

#include "base/convert.h"
#include "base/simd.h"

namespace dynjax {

// One fused multiply-add in float32; `n` elements.
void ScaleIntensity(const void* in, Pixel in_type, std::int64_t n, float gain, float offset,
                    Pixel out_type, void* out, Target instructions = BestTarget());

}  // namespace dynjax
