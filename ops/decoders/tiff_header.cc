#include "decoders/tiff_header.h"

#include <algorithm>

#include "decoders/tiff.h"
#include "decoders/tiff_directory.h"

namespace dynjax {
namespace {

// Tags, and the numbers that some of them hold.
enum : std::uint32_t {
  kWidth = 256,
  kHeight = 257,
  kBits = 258,
  kCompression = 259,
  kPhotometric = 262,
  kOrientation = 274,
  kSamples = 277,
  kRowsPerStrip = 278,
  kPlanar = 284,
  kTileWidth = 322,
  kTileHeight = 323,
  kInkSet = 332,
  kExtraSamples = 338,
  kSampleFormat = 339
};
enum : std::int32_t { kRle = 2, kGroup3 = 3, kGroup4 = 4, kJpeg = 7 };
constexpr std::int32_t kNone = -1;  // of a tag that is missing

bool IsFax(std::int32_t compression) {
  return compression == kRle || compression == kGroup3 || compression == kGroup4;
}

// The colour and the channels that the samples stand for; false when they are of another kind.
bool ReadColour(std::int32_t photometric, std::int32_t extra, TiffLayout* layout) {
  const std::int32_t samples = layout->samples;
  constexpr std::int32_t kUnspecified = 0, kAlpha = 2;  // 1, colours times alpha, is left to others
  layout->channels = samples;
  switch (photometric) {
    case 0:
      layout->colour = TiffColour::kGreyInverted;
      return samples == 1 && !layout->is_float;
    case 1:
      layout->colour = TiffColour::kGrey;
      return samples == 1 || (samples == 2 && extra == kAlpha && !layout->is_float);
    case 2:
      layout->colour = TiffColour::kRgb;
      if (samples == 4 && extra == kUnspecified) layout->channels = 3;
      return samples == 3 ||
             (samples == 4 && (extra == kUnspecified || extra == kAlpha || extra == kNone));
    case 3:
      layout->colour = TiffColour::kPalette;
      layout->channels = 3;
      return samples == 1 && layout->bits <= 8 && !layout->is_float;
    case 5:
      layout->colour = TiffColour::kInk;
      return samples == 4 && extra == kNone && !layout->is_float &&
             (layout->bits == 8 || layout->bits == 16);
    case 6:
      layout->colour = TiffColour::kYCbCr;
      return samples == 3 && layout->compression == kJpeg;
    default:
      return false;
  }
}

bool IsDecoded(const TiffLayout& l) {
  if (l.is_float ? l.bits != 32 : l.bits < 1 || l.bits > 16) return false;
  if (IsFax(l.compression)) return l.bits == 1 && l.samples == 1;
  if (l.compression == kJpeg) {
    return l.bits == 8 && !l.is_float && !l.is_planar && l.colour != TiffColour::kPalette;
  }
  return true;
}

// Whether the blocks hold not much more than the picture: decoding them takes time and memory in
// proportion, and many of them may be one and the same place of a small file.
bool IsBounded(const TiffLayout& l) {
  constexpr std::int32_t kLargest = 1 << 30;
  if (std::max(l.height, l.width) > kLargest) return false;
  constexpr double kSlack = 4, kSmall = 1 << 25;
  const double row = static_cast<double>(l.block_row_bytes());
  const double down = (std::int64_t{l.height} + l.block_height - 1) / l.block_height;
  const double across = (std::int64_t{l.width} + l.block_width - 1) / l.block_width;
  const double all = down * across * l.planes() * row * l.block_height;
  const double picture = static_cast<double>(l.height) * l.width * l.samples * l.bits / 8;
  return all <= kSlack * picture + kSmall;
}

bool ReadBlocks(const TiffDirectory& directory, TiffLayout* layout) {
  const auto tile_height = directory.Number(kTileHeight, kNone);
  const auto tile_width = directory.Number(kTileWidth, kNone);
  if (!tile_height || !tile_width) return false;
  layout->is_tiled = *tile_height != kNone || *tile_width != kNone;
  if (layout->is_tiled) {
    layout->block_height = *tile_height;
    layout->block_width = *tile_width;
  } else {
    // Larger than any picture when there is one strip only: all bits set, or no such tag.
    const auto rows = directory.Number(kRowsPerStrip, layout->height);
    layout->block_height = std::min(rows.value_or(layout->height), layout->height);
    layout->block_width = layout->width;
  }
  return layout->block_height >= 1 && layout->block_width >= 1;
}

}  // namespace

std::optional<TiffLayout> ReadTiffLayout(Bytes encoded) {
  const auto directory = TiffDirectory::First(encoded);
  if (!directory) return std::nullopt;
  TiffLayout layout;
  bool is_sound = true;
  const auto number = [&](std::uint32_t tag, std::int32_t missing) {
    const auto value = directory->Number(tag, missing);
    is_sound = is_sound && value.has_value();
    return value.value_or(missing);
  };
  layout.height = number(kHeight, 0);
  layout.width = number(kWidth, 0);
  layout.bits = number(kBits, 1);
  layout.samples = number(kSamples, 1);
  layout.compression = number(kCompression, 1);
  const std::int32_t planar = number(kPlanar, 1), format = number(kSampleFormat, 1);
  layout.is_planar = planar == 2 && layout.samples > 1;
  layout.is_float = format == 3;
  const std::int32_t photometric = number(kPhotometric, kNone);
  const std::int32_t extra = number(kExtraSamples, kNone), inks = number(kInkSet, 1);
  // A damaged orientation is none.
  const std::int32_t orientation = directory->Number(kOrientation, 1).value_or(1);
  layout.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
  if (!is_sound || layout.height < 1 || layout.width < 1 || (planar != 1 && planar != 2) ||
      (format != 1 && format != 3) || inks != 1 || layout.samples > 4 ||
      !ReadColour(photometric, extra, &layout) || !IsDecoded(layout) ||
      !ReadBlocks(*directory, &layout) || !IsBounded(layout)) {
    return std::nullopt;
  }
  return layout;
}

void ReadTiffHeader(Bytes encoded, ImageInfo* info) {
  const auto layout = ReadTiffLayout(encoded);
  if (!layout || !DecompressesTiff(layout->compression)) return;
  info->native = true;
  info->height = layout->height;
  info->width = layout->width;
  info->channels = layout->channels;
  info->bit_depth = layout->bits;
  info->orientation = layout->orientation;
}

SourcePixels TiffPixelsFor(const TiffLayout& layout, OutputType type) {
  const bool is_own = type == OutputType::kAny || layout.channels % 2 == 1;
  return {.height = layout.height,
          .width = layout.width,
          .channels = is_own ? layout.channels : layout.channels - 1,
          .type = layout.is_float    ? PixelType::kF32
                  : layout.bits <= 8 ? PixelType::kU8
                                     : PixelType::kU16};
}

}  // namespace dynjax
