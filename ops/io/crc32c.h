// CRC-32C (Castagnoli), as record files use it.
#pragma once

#include <cstdint>
#include <span>

namespace dynjax {

std::uint32_t Crc32c(std::span<const std::uint8_t> data);

// As TFRecord stores it: rotated, with a constant added.
std::uint32_t MaskedCrc32c(std::span<const std::uint8_t> data);

}  // namespace dynjax
