// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

namespace dynjax {

// As MosaicRow of colour/debayer_rows.h.
void Avx2MosaicRow(const std::uint8_t* above, const std::uint8_t* own, const std::uint8_t* below,
                   bool has_first, std::int32_t phase, std::int64_t width, std::uint8_t* out);

}  // namespace dynjax
