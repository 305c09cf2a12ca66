// A part of a picture.
#pragma once

#include <cstdint>
#include <optional>

namespace dynjax {

struct Region {
  std::int32_t y = 0, x = 0, height = 0, width = 0;
  bool operator==(const Region&) const = default;
};

// The whole of a picture of this size.
inline Region WholeOf(std::int32_t height, std::int32_t width) { return {0, 0, height, width}; }

// The part of the stored picture, `height` x `width`, that becomes `upright` when the picture is
// turned by `orientation` (EXIF 1..8). nullopt when it is empty or does not lie inside.
std::optional<Region> StoredRegion(const Region& upright, std::int32_t height, std::int32_t width,
                                   int orientation);

}  // namespace dynjax
