// Rectangles of an array filled with one value (random erasing, Zhong et al., 2017).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/simd.h"
#include "movement/array_view.h"

namespace dynjax {

struct Regions {
  std::span<const int> axes;  // each at most once
  // [regions, 2, axes]: the first position along each axis, then the one past the last. They may
  // lie outside; where the last is not behind the first, a region is empty.
  std::span<const std::int32_t> limits;
  std::span<const float> fill;  // one value, or one for each position of `fill_axis`
  int fill_axis = -1;

  std::size_t size() const { return axes.empty() ? 0 : limits.size() / (2 * axes.size()); }
};

// Copies `source` to `target`, of the same type and extents, with the fill value in all regions.
void Erase(const ArrayView& source, const ArrayView& target, const Regions& regions,
           Target instructions = BestTarget());

}  // namespace dynjax
