// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

#include "colour/lab.h"

namespace dynjax {

// Convert whole groups of eight pixels and return how many pixels that were.
std::int64_t Avx2RgbToLab(const std::uint8_t* rgb, std::int64_t n, const LabRow& lab);
std::int64_t Avx2LabToRgb(const LabRow& lab, std::int64_t n, std::uint8_t* rgb);

}  // namespace dynjax
