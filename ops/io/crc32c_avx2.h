// Only to be called where base/simd.h found AVX2: processors that have it have the CRC instruction.
#pragma once

#include <cstdint>
#include <span>

namespace dynjax {

std::uint32_t UpdateCrc32cAvx2(std::uint32_t crc, std::span<const std::uint8_t> data);

}  // namespace dynjax
