// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

namespace dynjax {

// Three channels of bytes to `outputs` (1 or 3) channels. Returns how many pixels are done; a few
// at the end are left over.
std::int64_t Avx2MatrixOfBytes(const std::uint8_t* in, std::int64_t n, const float* rows,
                               int outputs, std::uint8_t* out);

// out[c] = in[order[c]] for pixels of three bytes; again a few pixels are left over.
std::int64_t Avx2ReorderBytes(const std::uint8_t* in, std::int64_t n, const int* order,
                              std::uint8_t* out);

}  // namespace dynjax
