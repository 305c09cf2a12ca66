// The check sums of FLAC frames.
#pragma once

#include <cstdint>
#include <span>

namespace dynjax {

// Of a frame's header: x^8 + x^2 + x + 1.
std::uint8_t FlacCrc8(std::span<const std::uint8_t> data);
// Of a whole frame: x^16 + x^15 + x^2 + 1. Both are 0 of data that end with their own check sum.
std::uint16_t FlacCrc16(std::span<const std::uint8_t> data);

}  // namespace dynjax
