// Pixels of interleaved colours from rows of luma and chroma.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dynjax {

// Bytes behind the end of a row that may be read.
inline constexpr std::size_t kColourSlack = 32;

// RGB, or BGR, of `count` pixels, by ITU-R BT.601 in 16-bit fixed point as libjpeg does it. Writes
// 3 * count bytes.
void YCbCrToRgb(const std::uint8_t* luma, const std::uint8_t* blue, const std::uint8_t* red,
                std::size_t count, bool is_bgr, std::uint8_t* out);

// The same of grey pixels.
void GrayToRgb(const std::uint8_t* luma, std::size_t count, std::uint8_t* out);

}  // namespace dynjax
