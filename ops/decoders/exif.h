// The orientation tag of an EXIF block.
#pragma once

#include "decoders/bytes.h"

namespace dynjax {

// `tiff` is the block from its byte-order mark on. Returns the orientation 1..8; 1 (upright) when
// the block has none, is damaged or holds a value out of range. Never reads outside `tiff`.
int ExifOrientation(Bytes tiff);

}  // namespace dynjax
