// Colour and value range of a row of decoded pixels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dynjax {

// DALI's `output_type`, numbered for the handler's attribute.
enum class OutputType : std::int32_t { kRgb = 0, kBgr = 1, kGray = 2, kYCbCr = 3, kAny = 4 };

enum class PixelType : std::uint8_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32 };

std::size_t ItemBytes(PixelType type);

// How a colour pixel becomes grey: 0.299 r + 0.587 g + 0.114 b in the arithmetic of the library
// that the original decodes the format with, because users compare pixels.
enum class GrayRule : std::uint8_t {
  kPng,   // 15-bit weights; 8-bit values rounded down, 16-bit ones to nearest
  kCmyk,  // float32, rounded down
  kRaw,   // 14-bit weights, rounded to nearest
};

// Pixels as a codec hands them out: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha, or whatever
// the file holds when nothing but the range is to be changed.
struct SourcePixels {
  std::int32_t height = 0, width = 0, channels = 0;
  PixelType type = PixelType::kU8;  // kU8, kU16 or kF32
  GrayRule gray = GrayRule::kRaw;
};

// The channels of a decoded pixel.
inline std::int32_t OutputChannels(OutputType type, std::int32_t source_channels) {
  return type == OutputType::kAny ? source_channels : type == OutputType::kGray ? 1 : 3;
}

// True when `ConvertRow` would only copy.
inline bool IsCopy(const SourcePixels& source, OutputType type, PixelType out) {
  const bool same_colour = type == OutputType::kAny ||
                           (type == OutputType::kRgb && source.channels == 3) ||
                           (type == OutputType::kGray && source.channels == 1);
  return same_colour && source.type == out;
}

// Converts `count` pixels of `source` to `type` and, over the full range of both, to `out`: 255
// becomes 1.0 or 65535, and floats beyond their range are cut off unless they stay floats. `from`
// and `to` are aligned for their types and do not overlap.
void ConvertRow(const SourcePixels& source, const std::byte* from, std::int64_t count,
                OutputType type, PixelType out, std::byte* to);

}  // namespace dynjax
