// The element of a given rank under a rectangle, for bytes and windows of any size up to a limit.
//
// Perreault and Hébert, Median Filtering in Constant Time, 2007: each column of the window has a
// histogram that moves down row by row, and their sum moves along a row by one column in, one out.
// Counts are of what is at most a value, so that a rank is found by comparing all of them at once:
// first those of 16 ranges, then those within a range, which are only kept where they are needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "filters/median.h"

namespace dynjax {

// Whether the counts of a window are small enough.
inline bool CountsFit(const MedianWindow& window) {
  return window.rows <= 255 && window.rows * window.columns <= 32767;
}

// uint8 and int8.
void MedianByCounting(const PlaneView& in, const MedianWindow& window, std::byte* out,
                      std::int64_t out_step, Target instructions);

}  // namespace dynjax
