#include "decoders/decode.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "decoders/image_info.h"
#include "decoders/jpeg.h"
#include "decoders/png.h"
#include "decoders/tiff.h"
#include "decoders/webp.h"

namespace dynjax {
namespace {

int Orientation(std::int32_t stored, const DecodeOptions& options) {
  return options.adjust_orientation && stored >= 1 && stored <= 8 ? stored : 1;
}

// The stored pixels that fill the target; nullopt when the target is of another size.
std::optional<Region> Filling(const ImageTarget& target, const ImageExtent& extent, int orientation,
                              std::optional<PartOrigin> part) {
  const bool is_whole = target.height == extent.height && target.width == extent.width;
  if (target.channels != extent.channels || (!part && !is_whole)) return std::nullopt;
  const auto [y, x] = part.value_or(PartOrigin{0, 0});
  const bool is_turned = orientation >= 5;
  return StoredRegion({y, x, target.height, target.width}, is_turned ? extent.width : extent.height,
                      is_turned ? extent.height : extent.width, orientation);
}

// The same pixels, of a part alone.
SourcePixels PartOf(SourcePixels source, const Region& region) {
  source.height = region.height;
  source.width = region.width;
  return source;
}

}  // namespace

ImageExtent ExtentOf(std::int32_t height, std::int32_t width, std::int32_t channels,
                     int orientation, const DecodeOptions& options) {
  if (Orientation(orientation, options) >= 5) std::swap(height, width);
  return {height, width, OutputChannels(options.output_type, channels)};
}

ImageExtent ExtentOf(const ImageInfo& info, const DecodeOptions& options) {
  const bool is_jpeg = info.format == ImageFormat::kJpeg;
  const auto size = [&](std::int32_t n) { return is_jpeg ? ScaledSize(n, options.scale) : n; };
  return ExtentOf(size(info.height), size(info.width), info.channels, info.orientation, options);
}

Status ExtentOf(Bytes encoded, const DecodeOptions& options, ImageExtent* extent) {
  ImageInfo info;
  if (const auto status = PeekImage(encoded, &info); !status.ok()) return status;
  if (!info.native) return StatusCode::kUnsupported;
  *extent = ExtentOf(info, options);
  return Status::Ok();
}

Status DecodeImage(Bytes encoded, const DecodeOptions& options, std::optional<PartOrigin> part,
                   const ImageTarget& target) {
  ImageInfo info;
  if (const auto status = PeekImage(encoded, &info); !status.ok()) return status;
  if (!info.native) return StatusCode::kUnsupported;
  const int orientation = Orientation(info.orientation, options);
  if (part && options.scale != kFullScale) return StatusCode::kUnsupported;
  const auto extent = ExtentOf(info, options);
  const auto region = Filling(target, extent, orientation, part);
  if (!region) return part ? StatusCode::kOutside : StatusCode::kShapeMismatch;
  const Region& stored = *region;
  const auto into = [&](const SourcePixels& source, OutputType rest, const auto& decode) -> Status {
    RowSink sink(PartOf(source, stored), rest, orientation, target);
    return sink.Prepare() ? decode(&sink) : StatusCode::kTooLarge;
  };
  const OutputType type = options.output_type;
  switch (info.format) {
    case ImageFormat::kJpeg: {
      const auto [source, rest] = JpegPixelsFor(info, type);
      return into(source, rest, [&](RowSink* sink) {
        return DecodeJpeg(encoded, info, type, stored, options.scale, sink);
      });
    }
    case ImageFormat::kPng:
      return into(PngPixelsFor(info, type), type,
                  [&](RowSink* sink) { return DecodePng(encoded, info, stored, sink); });
    case ImageFormat::kTiff: {
      const auto layout = ReadTiffLayout(encoded);
      if (!layout) return StatusCode::kUnsupported;
      return into(TiffPixelsFor(*layout, type), type,
                  [&](RowSink* sink) { return DecodeTiff(encoded, *layout, stored, sink); });
    }
    case ImageFormat::kWebp:
      return into(WebpPixelsFor(info, type), type,
                  [&](RowSink* sink) { return DecodeWebp(encoded, stored, sink); });
    default:
      return StatusCode::kUnsupported;
  }
}

Status ConvertImage(Bytes pixels, SourceKind kind, const RawShape& shape,
                    const DecodeOptions& options, std::optional<PartOrigin> part,
                    const ImageTarget& target) {
  const bool is_wide = kind == SourceKind::kRawU16;
  if (shape.height < 1 || shape.width < 1 || shape.channels < 1 || shape.channels > 4) {
    return StatusCode::kShapeMismatch;
  }
  const int orientation = Orientation(shape.orientation, options);
  const auto extent =
      ExtentOf(shape.height, shape.width, shape.channels, shape.orientation, options);
  const auto region = Filling(target, extent, orientation, part);
  if (!region) return part ? StatusCode::kOutside : StatusCode::kShapeMismatch;
  const SourcePixels source{.height = region->height,
                            .width = region->width,
                            .channels = shape.channels,
                            .type = is_wide ? PixelType::kU16 : PixelType::kU8};
  RowSink sink(source, options.output_type, orientation, target);
  const std::size_t pixel_bytes = static_cast<std::size_t>(shape.channels) * ItemBytes(source.type);
  const std::size_t row_bytes = static_cast<std::size_t>(shape.width) * pixel_bytes;
  if (pixels.size() / row_bytes != static_cast<std::size_t>(shape.height) ||
      pixels.size() % row_bytes != 0) {
    return StatusCode::kShapeMismatch;
  }
  if (!sink.Prepare()) return StatusCode::kTooLarge;

  // Samples of a packed batch of bytes start anywhere; 16-bit loads must not.
  const bool is_aligned = !is_wide || reinterpret_cast<std::uintptr_t>(pixels.data()) % 2 == 0;
  std::unique_ptr<std::byte[]> band;
  if (!is_aligned) {
    band.reset(new (std::nothrow) std::byte[RowSink::kBandRows * row_bytes]);
    if (band == nullptr) return StatusCode::kTooLarge;
  }
  for (std::int32_t y = 0; y < region->height; y += RowSink::kBandRows) {
    const std::int32_t count = std::min(RowSink::kBandRows, region->height - y);
    const auto* rows = reinterpret_cast<const std::byte*>(pixels.data()) +
                       static_cast<std::size_t>(region->y + y) * row_bytes;
    if (!is_aligned) {
      std::memcpy(band.get(), rows, static_cast<std::size_t>(count) * row_bytes);
      rows = band.get();
    }
    sink.Write(y, count, rows + static_cast<std::size_t>(region->x) * pixel_bytes, row_bytes);
  }
  return Status::Ok();
}

}  // namespace dynjax
