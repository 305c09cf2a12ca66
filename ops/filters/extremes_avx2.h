// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

namespace dynjax {

// As PickRow of filters/extreme_rows.h. Key: uint8, int16 or int32.
template <typename Key, bool kLargest>
void Avx2PickRow(const Key* a, const Key* b, std::int64_t n, Key* out);

}  // namespace dynjax
