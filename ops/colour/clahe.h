// Contrast-limited adaptive histogram equalisation.
#pragma once

#include <cstdint>

namespace dynjax {

struct Tiles {
  std::int32_t across = 1, down = 1;
  float clip_limit = 0;  // 0 or less: none
};

// One channel of an image, elements `pixel` apart in a row, rows `row` apart.
struct BytePlane {
  std::uint8_t* data = nullptr;
  std::int64_t height = 0, width = 0, pixel = 1, row = 0;
};

// Both planes have the size of `in`; they may be the same.
void EqualizeTiles(const BytePlane& in, const Tiles& tiles, const BytePlane& out);

}  // namespace dynjax
