// JPEG through libjpeg-turbo, with its default settings: the pixels of Pillow and of the original.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/row_sink.h"

namespace dynjax {

// What `DecodeJpeg` hands to the sink for this picture and output type, and the conversion that is
// left for the sink. libjpeg itself makes RGB, BGR and grey (from the luma plane).
struct JpegPixels {
  SourcePixels source;
  OutputType rest;
};
JpegPixels JpegPixelsFor(const ImageInfo& info, OutputType type);

// Decodes the whole picture into `sink`, whose source is `JpegPixelsFor(info, type).source`.
// Damaged entropy-coded data is decoded as well as may be, as the original does; a stream that ends
// without its end marker is kTruncated. `info` comes from `PeekImage`.
Status DecodeJpeg(Bytes encoded, const ImageInfo& info, OutputType type, RowSink* sink);

}  // namespace dynjax
