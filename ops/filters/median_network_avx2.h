// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

namespace dynjax {

// As MedianRow of filters/median_network.h. Key: uint8, int16 or int32; K: 3, 5 or 7.
template <typename Key, int K>
void Avx2MedianRow(const Key* const* rows, std::int64_t size, std::int64_t inner, Key* sorted,
                   std::int64_t stride, Key* out);

}  // namespace dynjax
