// The first directory of a TIFF file, read without libtiff.
#pragma once

#include <optional>

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/pixels.h"

namespace dynjax {

enum class TiffColour : std::uint8_t { kGrey, kGreyInverted, kRgb, kPalette, kInk, kYCbCr };

// How the pixels lie in the file.
struct TiffLayout {
  std::int32_t height = 0, width = 0;
  std::int32_t bits = 1, samples = 1;  // of a pixel as stored
  // Of a pixel of the output type ANY_DATA: samples that say nothing are left out, palettes looked
  // up.
  std::int32_t channels = 1;
  TiffColour colour = TiffColour::kGrey;
  std::int32_t compression = 1;
  std::int32_t orientation = 1;
  bool is_float = false;
  bool is_planar = false;  // samples apart, one block for each
  // Blocks are tiles, or strips of the picture's width.
  bool is_tiled = false;
  std::int32_t block_height = 0, block_width = 0;

  std::int32_t planes() const { return is_planar ? samples : 1; }
  // Samples of a pixel in one block.
  std::int32_t block_samples() const { return is_planar ? 1 : samples; }
  std::size_t block_row_bytes() const {
    return (static_cast<std::size_t>(block_width) * static_cast<std::size_t>(block_samples()) *
                static_cast<std::size_t>(bits) +
            7) /
           8;
  }
};

// nullopt for what `DecodeTiff` does not decode: damaged files, pixels of unusual kinds, blocks
// that are much larger than the picture that they make.
std::optional<TiffLayout> ReadTiffLayout(Bytes encoded);

// Fills in all but `format`; leaves `native` false for what `DecodeTiff` does not decode.
void ReadTiffHeader(Bytes encoded, ImageInfo* info);

// What `DecodeTiff` hands to the sink: up to 8 bits as 8, more as 16, floats as they are; palettes
// looked up with 8 bits, ink turned into RGB and alpha dropped unless for ANY_DATA.
SourcePixels TiffPixelsFor(const TiffLayout& layout, OutputType type);

}  // namespace dynjax
