#include "audio/pcm.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace dynjax {
namespace {

template <typename T>
T Load(const std::uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// Numbers of three bytes, in the upper ones of four.
std::int32_t Wide(const std::uint8_t* bytes) {
  const std::uint32_t value = static_cast<std::uint32_t>(bytes[0]) << 8 |
                              static_cast<std::uint32_t>(bytes[1]) << 16 |
                              static_cast<std::uint32_t>(bytes[2]) << 24;
  return static_cast<std::int32_t>(value);
}

template <std::size_t kWidth, typename Number>
void Convert(const std::uint8_t* data, float scale, std::span<float> out, const Number& number) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = static_cast<float>(number(data + k * kWidth)) * scale;
  }
}

}  // namespace

void PcmToFloat(std::span<const std::uint8_t> data, std::size_t width, std::span<float> out) {
  if (width < 1 || width > 4) return;
  const std::uint8_t* from = data.data();
  const auto to = out.first(std::min(data.size() / width, out.size()));
  if (width == 1) Convert<1>(from, 0x1p-7f, to, [](const std::uint8_t* p) { return *p - 128; });
  if (width == 2) Convert<2>(from, 0x1p-15f, to, Load<std::int16_t>);
  if (width == 3) Convert<3>(from, 0x1p-31f, to, Wide);
  if (width == 4) Convert<4>(from, 0x1p-31f, to, Load<std::int32_t>);
}

}  // namespace dynjax
