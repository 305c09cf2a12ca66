// WebP through libwebp: lossy and lossless, with and without alpha, and the first picture of
// animations.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"

namespace dynjax {

// What `DecodeWebp` hands to the sink: 8 bits, alpha only for ANY_DATA.
inline SourcePixels WebpPixelsFor(const ImageInfo& info, OutputType type) {
  return {.height = info.height,
          .width = info.width,
          .channels = type == OutputType::kAny ? info.channels : 3};
}

// Decodes a part of the stored picture into `sink`, whose source is `WebpPixelsFor(info, type)` in
// the size of that part. The pixels are those of the whole picture's decoding; data far behind the
// part are not read. Alpha is dropped without blending; where the first frame of an animation
// leaves the canvas free, pixels are zero. `PeekImage` accepted the file; the part lies inside.
Status DecodeWebp(Bytes encoded, const Region& part, RowSink* sink);

}  // namespace dynjax
