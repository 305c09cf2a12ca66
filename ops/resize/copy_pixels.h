// Resampling that only moves pixels: nearest neighbour, crops, flips. Exact for every type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strided_view.h"
#include "resize/filters.h"
#include "resize/row_resampler.h"

namespace dynjax {

// Both taps must copy (Taps::copies). The output has the plane's type.
void CopyPixels(const PixelPlane& plane, const Taps& vertical, const Taps& horizontal,
                std::int64_t channels, std::int64_t out_row_bytes, std::byte* out);

// Copies an array between two layouts; extents and types agree.
void CopyStrided(const StridedView& from, const StridedView& to);

}  // namespace dynjax
