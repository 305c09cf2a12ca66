#include "decoders/region.h"

namespace dynjax {

std::optional<Region> StoredRegion(const Region& upright, std::int32_t height, std::int32_t width,
                                   int orientation) {
  Region stored = upright;
  // The stored picture's columns are the upright one's rows.
  if (orientation >= 5) stored = {upright.x, upright.y, upright.width, upright.height};
  if (stored.height < 1 || stored.width < 1 || stored.y < 0 || stored.x < 0 ||
      stored.height > height - stored.y || stored.width > width - stored.x) {
    return std::nullopt;
  }
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  if (from_right) stored.x = width - stored.x - stored.width;
  if (from_bottom) stored.y = height - stored.y - stored.height;
  return stored;
}

}  // namespace dynjax
