// Bytes of sRGB to and from CIE L*a*b*, by tables of whole numbers; as `_ops/_lib/lab.py`, where
// the constants are explained.
#pragma once

#include <cstdint>

namespace dynjax {

// `n` pixels of three interleaved bytes; `lab` likewise: L from 0 to 255, a and b offset by 128.
void RgbToLab(const std::uint8_t* rgb, std::int64_t n, std::uint8_t* lab);
void LabToRgb(const std::uint8_t* lab, std::int64_t n, std::uint8_t* rgb);

}  // namespace dynjax
