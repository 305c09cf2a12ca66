// The order in which JPEG streams have the coefficients of a block.
#pragma once

#include <array>
#include <cstdint>

namespace dynjax {

// Places row by row, by place in zigzag order.
constexpr std::array<std::uint8_t, 64> NaturalOrder() {
  std::array<std::uint8_t, 64> places{};
  int row = 0, column = 0;
  for (auto& place : places) {
    place = static_cast<std::uint8_t>(8 * row + column);
    const bool is_upward = (row + column) % 2 == 0;
    int& ahead = is_upward ? column : row;
    int& back = is_upward ? row : column;
    if (ahead == 7) {
      ++back;
    } else {
      ++ahead;
      if (back > 0) --back;
    }
  }
  return places;
}
inline constexpr std::array<std::uint8_t, 64> kNaturalOrder = NaturalOrder();
static_assert(kNaturalOrder[2] == 8 && kNaturalOrder[9] == 24 && kNaturalOrder[35] == 56 &&
              kNaturalOrder[63] == 63);

}  // namespace dynjax
