// One picture, encoded or raw, into the memory of one sample.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/jpeg.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"

namespace dynjax {

struct DecodeOptions {
  OutputType output_type = OutputType::kRgb;
  bool adjust_orientation = true;
  // Eighths of their size to which JPEG pictures are decoded; 8 is all of it.
  std::int32_t scale = kFullScale;
};

// What the source bytes are. Kept in step with `dynjax/_native.py`.
enum class SourceKind : std::int32_t {
  kEncoded = 0,
  kRawU8 = 1,   // pixels that another library decoded: HWC, 8 bits
  kRawU16 = 2,  // the same, 16 bits, native byte order
};

// The size and orientation of raw pixels; encoded ones have them in their header.
struct RawShape {
  std::int32_t height = 0, width = 0, channels = 0, orientation = 1;
};

// The size of the result of decoding what `source` and `orientation` describe.
struct ImageExtent {
  std::int32_t height, width, channels;
  bool operator==(const ImageExtent&) const = default;
};
ImageExtent ExtentOf(std::int32_t height, std::int32_t width, std::int32_t channels,
                     int orientation, const DecodeOptions& options);

// The size of the result of decoding a picture with a native decoder.
ImageExtent ExtentOf(const ImageInfo& info, const DecodeOptions& options);

// The same from a file's own header; kUnsupported where another library would decode it.
Status ExtentOf(Bytes encoded, const DecodeOptions& options, ImageExtent* extent);

// The first pixel of a part of the upright picture; its size is the target's.
struct PartOrigin {
  std::int32_t y, x;
};

// Decodes a picture of a native format into `target`, whose size was promised at the call:
// kShapeMismatch when the stream is of another one, kOutside when a `part` is empty or reaches
// beyond the picture. A part has the pixels that the whole picture has there; there are no parts of
// scaled pictures. Other formats are kUnsupported here. Reads stay inside `encoded`, writes inside
// `target`; on failure the target's content is unspecified. Thread-safe.
Status DecodeImage(Bytes encoded, const DecodeOptions& options, std::optional<PartOrigin> part,
                   const ImageTarget& target);

// The same for raw pixels: applies orientation, colour and value range.
Status ConvertImage(Bytes pixels, SourceKind kind, const RawShape& shape,
                    const DecodeOptions& options, std::optional<PartOrigin> part,
                    const ImageTarget& target);

}  // namespace dynjax
