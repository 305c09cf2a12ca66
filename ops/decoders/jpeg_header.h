// The header of a JPEG stream, read without libjpeg.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"

namespace dynjax {

// Walks the markers up to the first scan and fills in all but `format`. Bytes between markers are
// skipped, as libjpeg does. A picture that libjpeg cannot decode (12 bits, lossless, hierarchical)
// is no error here: `native` is false.
Status ReadJpegHeader(Bytes encoded, ImageInfo* info);

}  // namespace dynjax
