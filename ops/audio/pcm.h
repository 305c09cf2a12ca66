// The numbers of sound files as floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dynjax {

// Little-endian integers of 1 (unsigned, around 128), 2, 3 or 4 (signed) bytes to floats of full
// scale 1: one for each whole number in `data`, as long as there is room in `out`.
void PcmToFloat(std::span<const std::uint8_t> data, std::size_t width, std::span<float> out);

}  // namespace dynjax
