#include "audio/pcm.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/convert.h"

namespace dynjax {
namespace {

constexpr std::size_t kChunk = 4096;

void Scale(float factor, std::span<float> values) {
  for (float& value : values) value *= factor;
}

// Numbers of three bytes, in the upper ones of four.
std::int32_t Wide(const std::uint8_t* bytes) {
  const std::uint32_t value = static_cast<std::uint32_t>(bytes[0]) << 8 |
                              static_cast<std::uint32_t>(bytes[1]) << 16 |
                              static_cast<std::uint32_t>(bytes[2]) << 24;
  return static_cast<std::int32_t>(value);
}

}  // namespace

void PcmToFloat(std::span<const std::uint8_t> data, std::size_t width, std::span<float> out) {
  static_assert(std::endian::native == std::endian::little);
  if (width < 1 || width > 4) return;
  const Converters& converters = ConvertersFor(BestTarget());
  const std::size_t count = std::min(data.size() / width, out.size());
  for (std::size_t start = 0; start < count; start += kChunk) {
    const std::size_t n = std::min(kChunk, count - start);
    const std::uint8_t* from = data.data() + start * width;
    const auto to = out.subspan(start, n);
    if (width == 3) {
      for (std::size_t k = 0; k < n; ++k) to[k] = static_cast<float>(Wide(from + 3 * k)) * 0x1p-31f;
      continue;
    }
    const Pixel type = width == 1 ? Pixel::kU8 : width == 2 ? Pixel::kI16 : Pixel::kI32;
    converters.load[static_cast<std::size_t>(type)](from, static_cast<std::int64_t>(n), to.data());
    if (width == 1) {
      for (float& value : to) value -= 128;
    }
    Scale(width == 1 ? 0x1p-7f : width == 2 ? 0x1p-15f : 0x1p-31f, to);
  }
}

}  // namespace dynjax
