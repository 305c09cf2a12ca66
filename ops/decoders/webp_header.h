// The container of a WebP file, read without libwebp.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/region.h"

namespace dynjax {

// The picture of a file, or the first one of its animation.
struct WebpFrame {
  Bytes data;    // as libwebp takes it
  Region place;  // on the canvas
};

// Walks the chunks, because EXIF follows the picture; fills in all but `format`, and `frame`. What
// the picture's own data say is left to libwebp. kTruncated when the file is shorter than it says.
Status ReadWebpHeader(Bytes encoded, ImageInfo* info, WebpFrame* frame);

}  // namespace dynjax
