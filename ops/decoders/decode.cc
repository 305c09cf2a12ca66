#include "decoders/decode.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "decoders/image_info.h"
#include "decoders/jpeg.h"
#include "decoders/png.h"

namespace dynjax {
namespace {

bool HasExtent(const ImageTarget& target, const ImageExtent& extent) {
  return ImageExtent{target.height, target.width, target.channels} == extent;
}

int Orientation(std::int32_t stored, const DecodeOptions& options) {
  return options.adjust_orientation && stored >= 1 && stored <= 8 ? stored : 1;
}

}  // namespace

ImageExtent ExtentOf(std::int32_t height, std::int32_t width, std::int32_t channels,
                     int orientation, const DecodeOptions& options) {
  if (Orientation(orientation, options) >= 5) std::swap(height, width);
  return {height, width, OutputChannels(options.output_type, channels)};
}

Status DecodeImage(Bytes encoded, const DecodeOptions& options, const ImageTarget& target) {
  ImageInfo info;
  if (const auto status = PeekImage(encoded, &info); !status.ok()) return status;
  if (!info.native) return StatusCode::kUnsupported;
  if (!HasExtent(target,
                 ExtentOf(info.height, info.width, info.channels, info.orientation, options))) {
    return StatusCode::kShapeMismatch;
  }
  const int orientation = Orientation(info.orientation, options);
  if (info.format == ImageFormat::kJpeg) {
    const auto [source, rest] = JpegPixelsFor(info, options.output_type);
    RowSink sink(source, rest, orientation, target);
    if (!sink.Prepare()) return StatusCode::kTooLarge;
    return DecodeJpeg(encoded, info, options.output_type, &sink);
  }
  RowSink sink(PngPixelsFor(info, options.output_type), options.output_type, orientation, target);
  if (!sink.Prepare()) return StatusCode::kTooLarge;
  return DecodePng(encoded, info, &sink);
}

Status ConvertImage(Bytes pixels, SourceKind kind, const RawShape& shape,
                    const DecodeOptions& options, const ImageTarget& target) {
  const bool is_wide = kind == SourceKind::kRawU16;
  if (shape.height < 1 || shape.width < 1 || shape.channels < 1 || shape.channels > 4 ||
      !HasExtent(target,
                 ExtentOf(shape.height, shape.width, shape.channels, shape.orientation, options))) {
    return StatusCode::kShapeMismatch;
  }
  const SourcePixels source{.height = shape.height,
                            .width = shape.width,
                            .channels = shape.channels,
                            .type = is_wide ? PixelType::kU16 : PixelType::kU8};
  RowSink sink(source, options.output_type, Orientation(shape.orientation, options), target);
  const std::size_t row_bytes = sink.source_row_bytes();
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
  for (std::int32_t y = 0; y < shape.height; y += RowSink::kBandRows) {
    const std::int32_t count = std::min(RowSink::kBandRows, shape.height - y);
    const auto* rows =
        reinterpret_cast<const std::byte*>(pixels.data()) + static_cast<std::size_t>(y) * row_bytes;
    if (!is_aligned) {
      std::memcpy(band.get(), rows, static_cast<std::size_t>(count) * row_bytes);
      rows = band.get();
    }
    sink.Write(y, count, rows, row_bytes);
  }
  return Status::Ok();
}

}  // namespace dynjax
