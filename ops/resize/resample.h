// Separable resampling of one sample along one to three of its axes.
#pragma once

#include <cstddef>
#include <span>

#include "base/simd.h"
#include "base/status.h"
#include "base/strided_view.h"
#include "resize/filters.h"

namespace dynjax {

inline constexpr std::size_t kMaxResampleAxes = 3;
inline constexpr std::size_t kMaxResampleRank = 8;

// Along axes[i] the input is resampled as window[i] says (its `in` and `out` are the extents); all
// other axes are carried through. No extent is 0 and `axes` ascends.
//
// Sums are in float32; the last step rounds half away from zero and saturates. `target.type` is the
// input's type or float32. Axes whose window changes nothing are copied exactly. kTooLarge: no
// memory for the weights or for a few rows.
Status Resample(const StridedView& source, const StridedView& target, std::span<const int> axes,
                std::span<const ResampleAxis> window, Target instructions = BestTarget());

}  // namespace dynjax
