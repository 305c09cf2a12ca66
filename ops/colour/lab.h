// Bytes of sRGB to and from CIE L*a*b*, by tables of whole numbers; as `_ops/_lib/lab.py`, where
// the constants are explained.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// A row of each channel: L from 0 to 255, a and b offset by 128.
struct LabRow {
  std::uint8_t *lightness, *a, *b;
};

// `n` pixels of three interleaved bytes. All targets give the same bytes.
void RgbToLab(const std::uint8_t* rgb, std::int64_t n, const LabRow& lab,
              Target instructions = BestTarget());
void LabToRgb(const LabRow& lab, std::int64_t n, std::uint8_t* rgb,
              Target instructions = BestTarget());

}  // namespace dynjax
