// Chroma from half to full resolution by libjpeg's triangle filter, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dynjax {

// Rows of chroma have their outermost samples once more beyond both ends, and, as `out`, room for
// kUpsampleSlack bytes behind them, which may be read or written.
inline constexpr std::size_t kUpsampleSlack = 64;

// Two samples for each of the `count` of `row`: 3/4 of it and 1/4 of its neighbour on that side.
void UpsampleAcross(const std::uint8_t* row, std::size_t count, std::uint8_t* out);

// The same for a row of twice as many rows, of which `near` is the nearest of half the resolution
// and `far` the next. `sums` has room for count + 2 numbers and kUpsampleSlack bytes.
void UpsampleBoth(const std::uint8_t* near, const std::uint8_t* far, std::size_t count,
                  std::uint16_t* sums, std::uint8_t* out);

}  // namespace dynjax
