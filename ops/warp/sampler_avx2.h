// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

#include "warp/sampler.h"

namespace dynjax {

// SampleRow, for pictures of three adjacent 8-bit channels and results of the same type without
// gaps: linear with any edge, nearest with kClamp and kConstant. False where the picture is too
// small or too large for it: nothing has been written then.
bool Avx2LinearRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                   std::uint8_t* out);
bool Avx2NearestRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                    std::uint8_t* out);

}  // namespace dynjax
