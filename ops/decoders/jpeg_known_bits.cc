#include "decoders/jpeg_known_bits.h"

#include <algorithm>

namespace dynjax {

bool KnownBits::Add(const JpegScan& scan) {
  const bool is_dc = scan.first == 0;
  const bool is_band =
      is_dc ? scan.last == 0 : scan.first <= scan.last && scan.last <= 63 && scan.count == 1;
  if (!is_band || (scan.high != 0 && scan.high != scan.low + 1)) return false;
  const auto before = scan.high == 0 ? kNone : static_cast<std::uint8_t>(scan.high);
  for (std::size_t i = 0; i < scan.count; ++i) {
    auto& lowest = lowest_[scan.parts[i].component];
    if (!is_dc && lowest[0] == kNone) return false;
    for (std::size_t k = scan.first; k <= scan.last; ++k) {
      if (lowest[k] != before) return false;
      lowest[k] = static_cast<std::uint8_t>(scan.low);
    }
  }
  return true;
}

bool KnownBits::IsComplete(std::size_t components) const {
  return std::all_of(lowest_.begin(), lowest_.begin() + components, [](const auto& lowest) {
    return std::all_of(lowest.begin(), lowest.end(), [](std::uint8_t bit) { return bit == 0; });
  });
}

}  // namespace dynjax
