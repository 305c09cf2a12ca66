// JPEG as libjpeg-turbo decodes it with its default settings: the pixels of Pillow and of the
// original.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"

namespace dynjax {

// Sizes in eighths: what libjpeg's inverse transforms make of a block of 8 x 8.
inline constexpr std::int32_t kFullScale = 8;
inline std::int32_t ScaledSize(std::int32_t size, std::int32_t scale) {
  return static_cast<std::int32_t>((std::int64_t{size} * scale + kFullScale - 1) / kFullScale);
}

// What `DecodeJpeg` hands to the sink for this picture and output type, and the conversion that is
// left for the sink. The decoder itself makes RGB, BGR and grey (from the luma plane).
struct JpegPixels {
  SourcePixels source;
  OutputType rest;
};
JpegPixels JpegPixelsFor(const ImageInfo& info, OutputType type);

// Decodes a part of the stored picture into `sink`, whose source is `JpegPixelsFor(info, type)
// .source` in the size of that part. The pixels are those of the whole picture's decoding; blocks
// far from the part are not transformed, and data after it are not read.
// Damaged entropy-coded data is decoded as well as may be, as the original does; a stream that ends
// without its end marker is kTruncated when the part reaches the last row. `info` comes from
// `PeekImage`; the part lies inside the picture. With a `scale` (1 to 8) the part is the whole of
// the picture's scaled size: blocks are transformed to fewer pixels, which are means of the full
// picture's about as well as a box filter's.
Status DecodeJpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                  std::int32_t scale, RowSink* sink);

// The same without the fast decoder that takes most pictures (jpeg_fast.h).
Status DecodeWithLibjpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                         std::int32_t scale, RowSink* sink);

}  // namespace dynjax
