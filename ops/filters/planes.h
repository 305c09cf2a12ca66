// The planes or volumes of a sample that a filter treats apart: one for each index of the axes
// before the filtered ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/samples.h"

namespace dynjax {

// Whether pixels of a row lie side by side, all elements of each too.
inline bool HasWholeRows(const Sample& sample, std::size_t last_axis) {
  std::int64_t inner = 1;
  for (std::size_t a = sample.extent.size(); a-- > last_axis + 1;) {
    if (sample.strides[a] != inner) return false;
    inner *= sample.extent[a];
  }
  return sample.strides[last_axis] == inner || sample.extent[last_axis] <= 1;
}

// Elements of one pixel: what the axes behind `last_axis` hold.
inline std::int64_t InnerOf(const Sample& sample, std::size_t last_axis) {
  std::int64_t inner = 1;
  for (std::size_t a = last_axis + 1; a < sample.extent.size(); ++a) inner *= sample.extent[a];
  return inner;
}

// Calls body(offset in a, offset in b) for each index of the first `lead` axes. In elements.
template <typename Body>
void ForEachPlane(const Sample& a, const Sample& b, std::size_t lead, const Body& body) {
  const auto walk = [&](const auto& self, std::size_t axis, std::int64_t at_a,
                        std::int64_t at_b) -> void {
    if (axis == lead) return body(at_a, at_b);
    for (std::int32_t i = 0; i < a.extent[axis]; ++i) {
      self(self, axis + 1, at_a + i * a.strides[axis], at_b + i * b.strides[axis]);
    }
  };
  walk(walk, 0, 0, 0);
}

}  // namespace dynjax
