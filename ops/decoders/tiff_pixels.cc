#include "decoders/tiff_pixels.h"

#include <cstring>

namespace dynjax {
namespace {

// The value at a position of a row, the first bit of a byte being the highest.
std::uint32_t Sample(const std::uint8_t* row, std::size_t index, std::size_t bits) {
  const std::size_t begin = index * bits, end = begin + bits;
  std::uint32_t value = 0;  // of up to three bytes
  for (std::size_t k = begin / 8; k <= (end - 1) / 8; ++k) value = value << 8 | row[k];
  return value >> (7 - (end - 1) % 8) & ((1u << bits) - 1);
}

// Calls `put(x, c, value)` for the samples that are kept of each pixel.
template <typename Get, typename Put>
void ForEachSample(const TiffLayout& layout, std::int32_t kept, std::int32_t first,
                   std::int32_t count, std::int32_t plane, const Get& get, const Put& put) {
  if (layout.is_planar) {
    for (std::int32_t x = 0; x < count; ++x) {
      put(x * kept + plane, get(static_cast<std::size_t>(first + x)));
    }
    return;
  }
  const auto samples = static_cast<std::size_t>(layout.samples);
  for (std::int32_t x = 0; x < count; ++x) {
    const std::size_t at = static_cast<std::size_t>(first + x) * samples;
    for (std::int32_t c = 0; c < kept; ++c) {
      put(x * kept + c, get(at + static_cast<std::size_t>(c)));
    }
  }
}

template <typename T>
void TurnInk(std::int32_t count, std::byte* bytes) {
  constexpr std::uint32_t kFull = static_cast<T>(~T{0});
  auto* pixels = reinterpret_cast<T*>(bytes);
  for (std::int32_t x = 0; x < count; ++x) {
    const T* ink = pixels + 4 * x;
    const std::uint32_t light = kFull - ink[3];
    T rgb[3];
    for (int c = 0; c < 3; ++c) rgb[c] = static_cast<T>((kFull - ink[c]) * light / kFull);
    std::memcpy(pixels + 3 * x, rgb, sizeof(rgb));
  }
}

}  // namespace

TiffUnpacker::TiffUnpacker(const TiffLayout& layout, std::int32_t channels,
                           const TiffPalette& palette)
    : layout_(layout), kept_(channels) {
  item_ = layout.is_float ? 4 : layout.bits <= 8 ? 1 : 2;
  is_turned_ = layout.colour == TiffColour::kInk && channels == 3;
  if (is_turned_) kept_ = 4;
  const bool is_inverted = layout.colour == TiffColour::kGreyInverted && item_ == 1;
  const bool is_palette = layout.colour == TiffColour::kPalette;
  is_copy_ = layout.bits == static_cast<std::int32_t>(8 * item_) && !layout.is_planar &&
             !is_inverted && !is_palette && !is_turned_ && kept_ == layout.samples;
  if (item_ != 1) return;
  const int full = (1 << layout.bits) - 1;
  for (int v = 0; v <= full; ++v) {
    const int level = (v * 255 + full / 2) / full;
    levels_[v] = static_cast<std::uint8_t>(is_inverted ? 255 - level : level);
    if (!is_palette) continue;
    const std::uint16_t colour[] = {palette.red[v], palette.green[v], palette.blue[v]};
    for (int c = 0; c < 3; ++c) colours_[v][c] = static_cast<std::uint8_t>(colour[c] >> 8);
  }
}

void TiffUnpacker::Row(const std::uint8_t* row, std::int32_t first, std::int32_t count,
                       std::int32_t plane, std::byte* to) const {
  const auto bits = static_cast<std::size_t>(layout_.bits);
  const auto each = [&](const auto& get, const auto& put) {
    ForEachSample(layout_, kept_, first, count, plane, get, put);
  };
  const auto packed = [row, bits](std::size_t i) { return Sample(row, i, bits); };
  const auto byte = [row](std::size_t i) { return row[i]; };
  if (layout_.colour == TiffColour::kPalette) {
    for (std::int32_t x = 0; x < count; ++x) {
      const auto& colour = colours_[packed(static_cast<std::size_t>(first + x))];
      std::memcpy(to + 3 * x, colour.data(), 3);
    }
  } else if (layout_.is_float) {
    each([row](std::size_t i) { return row + 4 * i; },
         [to](std::int32_t i, const std::uint8_t* v) { std::memcpy(to + 4 * i, v, 4); });
  } else if (bits == 16) {
    each([row](std::size_t i) { return row + 2 * i; },
         [to](std::int32_t i, const std::uint8_t* v) { std::memcpy(to + 2 * i, v, 2); });
  } else if (bits > 8) {
    auto* out = reinterpret_cast<std::uint16_t*>(to);
    const std::uint32_t full = (1u << bits) - 1;
    each(packed, [out, full](std::int32_t i, std::uint32_t v) {
      out[i] = static_cast<std::uint16_t>((v * 65535 + full / 2) / full);
    });
  } else {
    auto* out = reinterpret_cast<std::uint8_t*>(to);
    const auto put = [out, this](std::int32_t i, std::uint32_t v) { out[i] = levels_[v]; };
    bits == 8 ? each(byte, put) : each(packed, put);
  }
}

void TiffUnpacker::Finish(std::int32_t count, std::byte* pixels) const {
  if (!is_turned_) return;
  if (item_ == 1) {
    TurnInk<std::uint8_t>(count, pixels);
  } else {
    TurnInk<std::uint16_t>(count, pixels);
  }
}

}  // namespace dynjax
