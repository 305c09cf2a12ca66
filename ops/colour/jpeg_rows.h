// The steps of the JPEG distortion on rows, per target. All targets give the same bytes.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// Rows of pixels have this many bytes of room behind them.
inline constexpr std::int64_t kJpegSlack = 32;

struct JpegRows {
  // `n` (a multiple of 8) pixels of RGB to luma and the two chromas.
  using ToYcc = void (*)(const std::uint8_t* rgb, std::int64_t n, std::uint8_t* luma,
                         std::uint8_t* blue, std::uint8_t* red);
  // Means of 2 x 2 elements of two rows; halves are rounded down and up in turn. `n` results.
  using Halve = void (*)(const std::uint8_t* upper, const std::uint8_t* lower, std::int64_t n,
                         std::uint8_t* out);
  // Transforms, quantises and transforms back `blocks` blocks of eight rows, in place. `steps`:
  // quantisers, row by row.
  using Code = void (*)(std::uint8_t* rows, std::int64_t stride, std::int64_t blocks,
                        const std::int32_t* steps);
  // Twice as many elements as the `n` of a row of chroma, weighted with its neighbour above or
  // below. `sums` has room for n + 2 elements.
  using Enlarge = void (*)(const std::uint8_t* row, const std::uint8_t* neighbour, std::int64_t n,
                           std::int16_t* sums, std::uint8_t* out);
  // `n` (a multiple of 8) pixels back to RGB.
  using ToRgb = void (*)(const std::uint8_t* luma, const std::uint8_t* blue,
                         const std::uint8_t* red, std::int64_t n, std::uint8_t* rgb);

  ToYcc to_ycc;
  Halve halve;
  Code code;
  Enlarge enlarge;
  ToRgb to_rgb;
};

const JpegRows& JpegRowsFor(Target target);

}  // namespace dynjax
