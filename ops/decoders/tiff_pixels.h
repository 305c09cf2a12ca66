// From the samples of a TIFF file, of any number of bits, to pixels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "decoders/tiff_header.h"

namespace dynjax {

// The colours of a palette, of 16 bits.
struct TiffPalette {
  const std::uint16_t *red, *green, *blue;
};

class TiffUnpacker {
 public:
  // To pixels of `TiffPixelsFor(layout, type)`, which have so many channels. `palette` has as many
  // colours as the bits can tell apart, where the layout has one; it is not used afterwards.
  TiffUnpacker(const TiffLayout& layout, std::int32_t channels, const TiffPalette& palette);

  // True when a block's samples are pixels already.
  bool is_copy() const { return is_copy_; }

  // Takes `count` pixels from the `first` of a block's row on. Of planar files it sets the one
  // sample of each; then, and of ink, `Finish` comes at the end. `to` has room for all samples.
  void Row(const std::uint8_t* row, std::int32_t first, std::int32_t count, std::int32_t plane,
           std::byte* to) const;

  // Turns ink into RGB, in place.
  void Finish(std::int32_t count, std::byte* pixels) const;

  // Of a pixel in a row that is being put together.
  std::size_t pixel_bytes() const { return static_cast<std::size_t>(kept_) * item_; }
  // Of planes that count.
  std::int32_t planes() const { return layout_.is_planar ? kept_ : 1; }

 private:
  TiffLayout layout_;
  std::int32_t kept_;  // samples of a pixel
  std::size_t item_;
  bool is_copy_, is_turned_;  // ink to RGB
  // What becomes of the values of up to 8 bits.
  std::array<std::uint8_t, 256> levels_;
  std::array<std::array<std::uint8_t, 3>, 256> colours_;
};

}  // namespace dynjax
