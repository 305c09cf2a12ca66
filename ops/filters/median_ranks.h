// The element of a given rank under a rectangle, for any type and window.
//
// A tile and what lies about it is sorted once. The window then is a set of places in that order,
// held as bits, in which the place looked for moves little from pixel to pixel. Equal elements lie
// in the order in which they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "filters/median.h"

namespace dynjax {

// Key: that of the plane's type (filters/order_keys.h).
template <typename Key>
void MedianByRanks(const PlaneView& in, const MedianWindow& window, std::byte* out,
                   std::int64_t out_step);

}  // namespace dynjax
