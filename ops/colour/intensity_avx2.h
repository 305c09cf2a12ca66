// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

namespace dynjax {

void Avx2ScaleBytes(const std::uint8_t* in, std::int64_t n, float gain, float offset,
                    std::uint8_t* out);
void Avx2ScaleFloats(float* x, std::int64_t n, float gain, float offset);

}  // namespace dynjax
