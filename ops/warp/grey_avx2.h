// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

#include "warp/sampler.h"

namespace dynjax {

// SampleRow with linear interpolation and edge kClamp or kConstant, for pictures of one 8-bit
// channel and results of the same type, both without gaps. False where the picture is too small or
// too large for it: nothing has been written then.
bool Avx2GreyRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                 std::uint8_t* out);

}  // namespace dynjax
